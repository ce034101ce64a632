using System.Net;
using System.Security.Cryptography;
using System.Text;
using Xunit;

namespace Svc.Runtime.Tests;

public class FollowTests
{
    private const string Id = "0123456789abcdef0123456789abcdef";
    private const string Ready = """{"type":"SESSION_READY"}""";
    private const string Ended = """{"type":"FLOW_COMPLETED","event_ulid":"01A"}""";

    [Theory]
    [InlineData(200)]
    [InlineData(400)]
    [InlineData(403)]
    [InlineData(404)]
    [InlineData(405)]
    [InlineData(426)]
    public async Task FollowingByPagesIsLoggedAndCancelled(int status)
    {
        using var source = new CancellationTokenSource();
        LogEvent? switched = null;
        var service = new Service(_ => Refusal(status, "<html>"))
        {
            Logger = logEvent =>
            {
                if (logEvent.Reason?.Contains("polling the run's events", StringComparison.Ordinal) == true)
                {
                    switched = logEvent;
                    source.Cancel();
                }
            },
        };

        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var executionEvent in service.RunOf(new()).FollowAsync(cancellationToken: source.Token))
            {
                Assert.Fail($"{executionEvent}");
            }
        });

        Assert.Equal((source.Token, 3, 3), (cancelled.CancellationToken, service.Pages, service.Sockets));
        Assert.Equal((LogEventKind.Retry, status), (switched?.Kind, switched?.Status));
        Assert.InRange(switched!.Delay!.Value.TotalSeconds, 0.5, 1);
    }

    [Theory]
    [InlineData("""{"error":"forbidden"}""")]
    [InlineData("""{"error":"no","message":"blocked by policy"}""")]
    public async Task RefusalsOfProxiesInJsonAreBlockedSockets(string body)
    {
        var service = new Service(_ => Refusal(403, body));
        service.LastEvent = () => service.Pages == 5 ? Ended : "";
        Assert.Equal(["01A"], await UlidsAsync(service.RunOf(new() { PageDelay = TimeSpan.Zero }).FollowAsync()));
        Assert.Equal(3, service.Sockets);
    }

    [Theory]
    [InlineData(401, "{}")]
    [InlineData(403, """{"error":"no","code":"forbidden"}""")]
    [InlineData(403, """{"error":"tenant_suspended"}""")]
    public async Task RefusalsOfTheServiceEndTheFollowing(int status, string body)
    {
        var service = new Service(_ => Refusal(status, body));
        var failure = await Assert.ThrowsAnyAsync<StatusException>(async () =>
        {
            await foreach (var executionEvent in service.RunOf(new()).FollowAsync())
            {
                Assert.Fail($"{executionEvent}");
            }
        });
        Assert.Equal((status, 1, 1), (failure.Status, service.Pages, service.Sockets));
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Silence
    {
        [Theory]
        [InlineData(2_000, null, null)]
        [InlineData(null, 2_000, null)]
        [InlineData(null, null, 2_000)]
        public async Task SocketsThatStaySilentAreBlocked(int? socketTimeout, int? timeout, int? attemptTimeout)
        {
            var failures = new List<Exception?>();
            var service = new Service(_ => Socket()) { Logger = logEvent => failures.Add(logEvent.Exception) };
            var times = new FollowTimes { PageDelay = TimeSpan.Zero };
            times = socketTimeout is { } limit ? times with { SocketTimeout = TimeSpan.FromMilliseconds(limit) } : times;
            var options = new CallOptions { Timeout = SpanOf(timeout), AttemptTimeout = SpanOf(attemptTimeout) };

            service.LastEvent = () => service.Sockets == 3 ? Ended : "";

            Assert.Equal(["01A"], await UlidsAsync(service.RunOf(times).FollowAsync(options)));
            Assert.Equal(3, service.Sockets);
            Assert.Equal(3, failures.OfType<CallTimeoutException>().Count(failure => failure.Message.StartsWith("the WebSocket was not ready within 2 s", StringComparison.Ordinal)));
        }
    }

    [Theory]
    [InlineData(2_000, null)]
    [InlineData(60_000, 2_000)]
    public async Task PagesThatAreNotAnsweredAreReadAgain(int lookTimeout, int? attemptTimeout)
    {
        var log = new List<LogEvent>();
        var service = new Service(_ => Refusal(503, "{}")) { Logger = log.Add };
        service.LastEvent = () => service.Pages switch { 1 => "", 2 => null, _ => Ended };
        var connection = service.Connect(new(), TimeSpan.FromMilliseconds(lookTimeout));
        var options = new CallOptions { AttemptTimeout = SpanOf(attemptTimeout) };

        Assert.Equal(["01A"], await UlidsAsync(new Execution<int>(connection, Id, ProtoJson.Int32Value).FollowAsync(options)));

        Assert.Equal(3, service.Pages);
        Assert.Single(log, each => each is { Kind: LogEventKind.Retry, Exception: CallTimeoutException });
    }

    [Fact]
    public async Task BlockedSocketsAreTriedAgainWithoutEnd()
    {
        var service = new Service(number => number < 20 ? Refusal(403, "<html>") : Socket(Ready, Ended));
        var times = new FollowTimes { PageDelay = TimeSpan.Zero, SocketRetry = TimeSpan.Zero };

        Assert.Equal(["01A"], await UlidsAsync(service.RunOf(times).FollowAsync()));
        Assert.Equal(20, service.Sockets);
    }

    [Fact]
    public async Task SocketsAreNotTriedAgainBeforeTheirTime()
    {
        var service = new Service(_ => Refusal(403, "<html>"));
        service.LastEvent = () => service.Pages == 20 ? Ended : "";

        Assert.Equal(["01A"], await UlidsAsync(service.RunOf(new() { PageDelay = TimeSpan.Zero }).FollowAsync()));
        Assert.Equal(3, service.Sockets);
    }

    [Fact]
    public async Task RequestsAreCountedOnce()
    {
        using var sent = new SentRequests();
        var requests = 0;
        var service = new Service(number => number < 3 ? Refusal(503, """{"error":"down"}""") : Socket(Ready, Ended))
        {
            Logger = logEvent => requests += logEvent.Kind == LogEventKind.Request ? 1 : 0,
        };
        Assert.Equal(["01A"], await UlidsAsync(service.RunOf(new()).FollowAsync()));
        Assert.Equal(3, service.Sockets);
        Assert.Equal(requests, sent.Count);
    }

    [Fact]
    public async Task AnOutageTakesOneRequestForEachFailure()
    {
        var log = new List<LogEvent>();
        var service = new Service(_ => Refusal(503, "{}")) { Logger = log.Add };
        service.LastEvent = () => service.Pages == 1 ? "" : throw new HttpRequestException("away");
        var connection = service.Connect(new());

        var failure = await Assert.ThrowsAsync<ConnectionException>(
            () => UlidsAsync(new Execution<int>(connection, Id, ProtoJson.Int32Value).FollowAsync()));

        Assert.Equal((9, 9, 1), (failure.Attempts, service.Pages, service.Sockets));
        Assert.Equal(10, log.Count(each => each.Kind == LogEventKind.Request));
        Assert.Equal(8, log.Count(each => each is { Kind: LogEventKind.Retry, Delay: not null }));
        var last = Assert.Single(log, each => each.Kind == LogEventKind.Failure);
        Assert.Same(failure, last.Exception);
        Assert.EndsWith("/events?decode=true&limit=1000", last.Path, StringComparison.Ordinal);
        Assert.Equal(10, Enumerable.Range(0, 12).Count(_ => connection.Budget.Take()));
    }

    private static TimeSpan? SpanOf(int? milliseconds) => milliseconds is { } time ? TimeSpan.FromMilliseconds(time) : null;

    private static async Task<List<string>> UlidsAsync(IAsyncEnumerable<ExecutionEvent> events)
    {
        var ulids = new List<string>();
        await foreach (var executionEvent in events)
        {
            ulids.Add(executionEvent.Ulid);
        }

        return ulids;
    }

    private static HttpResponseMessage Refusal(int status, string body) =>
        new((HttpStatusCode)status) { Content = new StringContent(body) };

    /// <summary>An open socket that gives messages, and stays silent then.</summary>
    private static HttpResponseMessage Socket(params string[] messages) =>
        new(HttpStatusCode.SwitchingProtocols) { Content = new Duplex(messages) };

    /// <summary>A run whose pages have at most its last event.</summary>
    /// <param name="socketOf">Returns the response to the request for a socket, by its number.</param>
    private sealed class Service(Func<int, HttpResponseMessage> socketOf) : HttpMessageHandler
    {
        internal int Pages { get; private set; }

        internal int Sockets { get; private set; }

        /// <summary>Returns the last event, nothing if there is none, or null for a page that is not answered.</summary>
        internal Func<string?> LastEvent { get; set; } = () => "";

        internal Action<LogEvent>? Logger { get; init; }

        internal Execution<int> RunOf(FollowTimes times) => new(Connect(times), Id, ProtoJson.Int32Value);

        internal Connection Connect(FollowTimes times) => Connect(times, TimeSpan.FromSeconds(30));

        internal Connection Connect(FollowTimes times, TimeSpan lookTimeout)
        {
            var options = new ClientOptions
            {
                ApiKey = "a-key",
                BaseUrl = "http://service.example",
                HttpClient = new HttpClient(this),
                Logger = Logger,
                RetryBudget = 10,
                RetryDelay = TimeSpan.Zero,
            };
            return new Connection(options, "test") { FollowTimes = times, LookTimeout = lookTimeout };
        }

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            var path = request.RequestUri!.AbsolutePath;
            return path.EndsWith("debug-stream", StringComparison.Ordinal) ? Open(request)
                : path.EndsWith("events", StringComparison.Ordinal) ? await PageAsync(cancellationToken)
                : Json($$"""{"execution_id":"{{Id}}","status":"RUNNING"}""");
        }

        private static HttpResponseMessage Json(string body) => new(HttpStatusCode.OK) { Content = new StringContent(body) };

        private async Task<HttpResponseMessage> PageAsync(CancellationToken cancellationToken)
        {
            Pages++;
            var lastEvent = LastEvent();
            await Task.Delay(lastEvent is null ? Timeout.Infinite : 0, cancellationToken);
            return Json($$"""{"events":[{{lastEvent}}]}""");
        }

        private HttpResponseMessage Open(HttpRequestMessage request)
        {
            Sockets++;
            var response = socketOf(Sockets);
            var key = $"{request.Headers.GetValues("Sec-WebSocket-Key").Single()}258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
            response.Headers.Connection.Add("Upgrade");
            response.Headers.Upgrade.ParseAdd("websocket");
            response.Headers.Add("Sec-WebSocket-Accept", Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key))));
            return response;
        }
    }

    private sealed class Duplex(string[] messages) : HttpContent
    {
        protected override Stream CreateContentReadStream(CancellationToken cancellationToken) => new Frames(messages);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => throw new NotSupportedException();

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }

    /// <summary>Has a frame for each message, and then no end. Takes what is written.</summary>
    private sealed class Frames(string[] messages) : MemoryStream([.. messages.SelectMany(FrameOf)])
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var count = Read(buffer.Span);
            await Task.Delay(count == 0 ? Timeout.Infinite : 0, cancellationToken);
            return count;
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => default;

        private static byte[] FrameOf(string message) => [0x81, (byte)message.Length, .. Encoding.ASCII.GetBytes(message)];
    }
}
