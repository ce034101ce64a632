using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading.Channels;
using Xunit;

namespace Svc.Runtime.Tests;

public class StreamTests
{
    private const string Word = """data: {"execution_id":"e-1","payload":"a"}""" + "\n\n";
    private const string Last = """data: {"is_final":true,"success":true,"input_frames":2}""" + "\n\n";

    private static readonly NodeCall<string, string> Node = new("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);

    [Fact]
    public async Task LeavingTheLoopClosesTheConnection()
    {
        using var server = new Server(Word);
        await foreach (var word in server.Stream())
        {
            Assert.Equal("a", word);
            break;
        }

        await server.Closed;
    }

    [Fact]
    public async Task DisposalAfterTheHeadClosesTheConnection()
    {
        using var server = new Server(Word);
        var words = server.Stream();
        await using (words)
        {
            var response = await words.GetResponseAsync();
            Assert.Equal((200, "", "text/event-stream"), (response.Status, response.Body, response.Headers["content-type"]));
        }

        await server.Closed;
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ReadAsync(words));
    }

    [Fact]
    public async Task DisposalWhileTheResponseArrivesClosesTheConnection()
    {
        StreamedOutput<string>? words = null;
        using var server = new Server(Word, logEvent =>
        {
            if (logEvent.Kind == LogEventKind.Response)
            {
                _ = words!.DisposeAsync();
            }
        });
        words = server.Stream();
        await Assert.ThrowsAsync<OperationCanceledException>(() => words.GetResponseAsync());
        await server.Closed;
    }

    [Fact]
    public async Task DisposalEndsAPendingRead()
    {
        using var server = new Server(Word);
        var words = server.Stream();
        await using var reader = words.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        var pending = reader.MoveNextAsync();
        await words.DisposeAsync();
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(() => pending.AsTask());
        Assert.Equal("the stream was closed", failure.Message);
        await server.Closed;
    }

    [Fact]
    public async Task DisposalBetweenReadsEndsTheNextOne()
    {
        using var server = new Server(Word);
        var words = server.Stream();
        await using var reader = words.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        await words.DisposeAsync();
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(() => reader.MoveNextAsync().AsTask());
        Assert.Equal("the stream was closed", failure.Message);
        Assert.False(await reader.MoveNextAsync());
        await server.Closed;
    }

    [Fact]
    public async Task DisposalDuringAReadLeavesTheConnectionToIt()
    {
        using var body = new Body();
        using var http = new HttpClient(new Response(body));
        using var connection = new Connection(new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9", HttpClient = http }, "tests");
        var words = Node.Stream(connection, "hello", null, default);
        await using var reader = words.GetAsyncEnumerator();
        body.WhileRead = () => words.DisposeAsync();
        var next = reader.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(10));
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(() => next);
        Assert.Equal(("the stream was closed", 1), (failure.Message, body.MostReaders));
    }

    [Fact]
    public async Task DisposalOnAnotherThreadIsACancellation()
    {
        using var server = new Server(string.Concat(Enumerable.Repeat(Word, 2000)));
        for (var round = 0; round < 200; round++)
        {
            var words = server.Stream();
            var reading = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var loop = Task.Run(async () =>
            {
                await foreach (var word in words)
                {
                    reading.TrySetResult();
                }
            });
            await reading.Task;
            await words.DisposeAsync();
            await Assert.ThrowsAsync<OperationCanceledException>(() => loop.WaitAsync(TimeSpan.FromSeconds(10)));
        }
    }

    [Fact]
    public async Task DisposalBehindTheLastMessageEndsTheLoop()
    {
        using var server = new Server("""data: {"payload":"a","is_final":true,"success":true}""" + "\n\n");
        var words = server.Stream();
        await using var reader = words.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        await words.DisposeAsync();
        Assert.False(await reader.MoveNextAsync());
    }

    [Fact]
    public async Task MessagesThatHaveArrivedAreNotGivenAfterACancellation()
    {
        using var server = new Server(Word + Word + Word + Last);
        using var source = new CancellationTokenSource();
        var words = new List<string>();
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (var word in server.Stream(token: source.Token))
            {
                words.Add(word);
                await source.CancelAsync();
            }
        });
        Assert.Equal(["a"], words);
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Timeouts
    {
        [Fact]
        public async Task MessagesThatHaveArrivedAreNotGivenAfterTheTimeout()
        {
            using var server = new Server(Word + Word + Word + Last);
            var timeout = TimeSpan.FromSeconds(6);
            var words = new List<string>();
            await Assert.ThrowsAsync<CallTimeoutException>(async () =>
            {
                await foreach (var word in server.Stream(new CallOptions { Timeout = timeout }))
                {
                    words.Add(word);
                    await Task.Delay(timeout * 1.2);
                }
            });
            Assert.Equal(["a"], words);
        }

        [Fact]
        public async Task AttemptTimeoutsDoNotLimitTheStream()
        {
            using var server = new Server(Word);
            var options = new CallOptions { AttemptTimeout = TimeSpan.FromSeconds(3), Timeout = TimeSpan.FromSeconds(6) };
            var words = new List<string>();
            var failure = await Assert.ThrowsAsync<CallTimeoutException>(() => ReadAsync(server.Stream(options), words));
            Assert.Equal(["a"], words);
            Assert.Equal(("e-1", false), (failure.ExecutionId, failure.IsOfAttempt));
        }
    }

    [Fact]
    public async Task ExceptionsOfBodiesCutStreamsOff()
    {
        var body = new Body { WhileRead = () => throw new InvalidOperationException("not Brotli") };
        using var http = new HttpClient(new Response(body));
        var options = new ClientOptions { ApiKey = "a-key", BaseUrl = "http://service.example", HttpClient = http };
        using var connection = new Connection(options, "test");
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(Node.Stream(connection, "a", null, default)));
        Assert.Equal("the stream was cut off: not Brotli", failure.Message);
        Assert.IsType<InvalidOperationException>(failure.InnerException);
        Assert.False(body.CanRead, "the response is disposed of");
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Silence
    {
        [Theory]
        [InlineData(0)]
        [InlineData(35)]
        public async Task AConnectionThatFallsSilentIsLost(int comments)
        {
            using var body = new Arrivals();
            var reader = new EventReader(body, TimeSpan.FromSeconds(3));
            var next = reader.ReadAsync(CancellationToken.None).AsTask();
            for (var count = 0; count < comments; count++)
            {
                await Task.Delay(100);
                body.Add(":\n\n");
            }

            Assert.False(next.IsCompleted, "it ended in spite of comments");
            var failure = await Assert.ThrowsAsync<TimeoutException>(() => next.WaitAsync(TimeSpan.FromSeconds(30)));
            Assert.Equal("nothing arrived for 3 seconds", failure.Message);
        }

        [Fact]
        public async Task AConnectionIsNotSilentWhileItIsNotRead()
        {
            using var body = new Arrivals();
            var reader = new EventReader(body, TimeSpan.FromSeconds(1));
            body.Add("data: a\n\n");
            Assert.Equal("a"u8.ToArray(), await reader.ReadAsync(CancellationToken.None));
            await Task.Delay(1_200);
            body.Add("data: b\n\n");
            Assert.Equal("b"u8.ToArray(), await reader.ReadAsync(CancellationToken.None));
        }
    }

    [Theory]
    [InlineData("data: ", "a", 64)]
    [InlineData("", "data: a\n", 448)]
    public void MessagesWithoutAnEndAreInvalid(string begin, string part, int mebibytes)
    {
        var parser = new EventParser();
        var megabyte = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(part, 1024 * 1024 / part.Length)));
        ReadOnlyMemory<byte> chunk = Encoding.UTF8.GetBytes(begin);
        Assert.Null(parser.Next(ref chunk));
        Assert.Throws<ValueException>(() =>
        {
            for (var count = 0; count <= mebibytes + 1; count++)
            {
                ReadOnlyMemory<byte> next = megabyte;
                Assert.Null(parser.Next(ref next));
            }
        });
    }

    [Fact]
    public async Task StreamsWithAMessageWithoutAnEndAreInvalid()
    {
        using var server = new Server("data: " + new string('a', EventParser.LongestMessage + 64 * 1024));
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => ReadAsync(server.Stream()));
        Assert.Equal("invalid response: a message is larger than 64 MiB", failure.Message);
        await server.Closed;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CancelledAndClosedStreamsAreNoErrorsOfTraces(bool isCancelled)
    {
        using var traced = new Traced("TracedStream");
        using var server = new Server(Word);
        using var source = new CancellationTokenSource();
        var node = new NodeCall<string, string>("TracedStream", "/words", ProtoJson.StringValue, ProtoJson.StringValue);
        var words = node.Stream(server.Connection, "hello", null, source.Token);
        await using var reader = words.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync());
        var pending = reader.MoveNextAsync();
        await (isCancelled ? source.CancelAsync() : words.DisposeAsync().AsTask());
        await Assert.ThrowsAsync<OperationCanceledException>(() => pending.AsTask());
        var activity = Assert.Single(traced.Activities);
        Assert.Equal((ActivityStatusCode.Unset, null), (activity.Status, activity.GetTagItem("error.type")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task StreamsEndWithEitherToken(bool isOfReader)
    {
        using var server = new Server(Word);
        using var source = new CancellationTokenSource();
        using var other = new CancellationTokenSource();
        var words = server.Stream(token: isOfReader ? other.Token : source.Token);
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (var word in words.WithCancellation(isOfReader ? source.Token : other.Token))
            {
                await source.CancelAsync();
            }
        });
        Assert.Equal(source.Token, failure.CancellationToken);
        Assert.Equal("e-1", words.ExecutionId);
        await server.Closed;
    }

    [Fact]
    public async Task StreamsAreReadOnce()
    {
        using var server = new Server(Word + Last);
        var words = server.Stream();
        Assert.Equal(["a"], await ReadAsync(words));
        await Assert.ThrowsAsync<InvalidOperationException>(() => ReadAsync(words));
        Assert.Equal(1, server.Requests);
    }

    [Fact]
    public async Task StreamsThatAreNotReadSendNothing()
    {
        using var server = new Server(Word);
        var closed = server.Stream();
        await closed.DisposeAsync();
        var failure = await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.GetResponseAsync());
        Assert.Contains("StreamedOutput", failure.ObjectName, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ReadAsync(closed));
        using var source = new CancellationTokenSource();
        await source.CancelAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(() => ReadAsync(server.Stream(token: source.Token)));
        await server.Stream().GetAsyncEnumerator().DisposeAsync();
        server.Connection.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ReadAsync(server.Stream()));
        Assert.Equal(0, server.Requests);
    }

    [Fact]
    public async Task FailuresAreDescribedAndLogged()
    {
        using var server = new Server(Word + """data: {"is_final":true,"error":"tired of a-key-of-the-tests"}""" + "\n\n");
        var failure = await Assert.ThrowsAsync<NodeFailedException>(() => ReadAsync(server.Stream()));
        Assert.Equal("tired of [redacted] (execution e-1)", failure.Message);
        Assert.Equal((200, "e-1", 1), (failure.Status, failure.ExecutionId, failure.Attempts));
        Assert.Equal([LogEventKind.Request, LogEventKind.Response, LogEventKind.Failure], server.Log.Select(each => each.Kind));
    }

    [Fact]
    public async Task SourcesCannotHoldAStreamThatIsCancelled()
    {
        using var server = new Server("");
        using var source = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        var release = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        var reading = ReadAsync(server.Upload(InputsAsync(), source.Token));
        await begun.Task;
        await source.CancelAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(() => reading);
        release.SetResult();
        await released.Task;

        async IAsyncEnumerable<string> InputsAsync()
        {
            try
            {
                yield return "a";
                begun.SetResult();
                await release.Task;
            }
            finally
            {
                released.SetResult();
            }
        }
    }

    [Fact]
    public async Task ExceptionsOfTheSourcePassThrough()
    {
        using var server = new Server("");
        var gone = new InvalidTimeZoneException("the disk is gone");
        var isReleased = false;
        Assert.Same(gone, await Assert.ThrowsAsync<InvalidTimeZoneException>(() => ReadAsync(server.Upload(InputsAsync()))));
        Assert.True(isReleased);
        var logged = Assert.Single(server.Log, logEvent => logEvent.Kind == LogEventKind.Failure);
        Assert.Equal("the source of the input failed: the disk is gone", logged.Exception?.Message);

        async IAsyncEnumerable<string> InputsAsync()
        {
            try
            {
                yield return "a";
                await Task.Yield();
                throw gone;
            }
            finally
            {
                isReleased = true;
            }
        }
    }

    [Fact]
    public async Task InvalidMessagesAreNumbered()
    {
        using var server = new Server("");
        var inputs = InputLines.SourceOf(new[] { "a", "\ud800" }, default);
        var failure = await Assert.ThrowsAsync<ValueException>(() => ReadAsync(server.Upload(inputs)));
        Assert.Equal("input message 1: string: not valid Unicode", failure.Message);
        var absent = await Assert.ThrowsAsync<ValueException>(
            () => ReadAsync(server.Upload(InputLines.SourceOf(new string[] { null! }, default))));
        Assert.StartsWith("input message 0: ", absent.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task InputsAreSentOnce()
    {
        using var lines = new InputLines<string>(ProtoJson.StringValue, InputLines.SourceOf(new[] { "a", "b" }, default));
        using var sent = new MemoryStream();
        await lines.CopyToAsync(sent);
        Assert.Equal("\"a\"\n\"b\"\n", Encoding.UTF8.GetString(sent.ToArray()));
        await Assert.ThrowsAsync<ConnectionException>(() => lines.CopyToAsync(Stream.Null));
        Assert.Equal(2, lines.Count);
    }

    [Fact]
    public async Task FakesAreReadOnce()
    {
        var fake = ModelFactory.StreamedOutput(["a", "b"]);
        await ReadAsync(fake);
        await Assert.ThrowsAsync<InvalidOperationException>(() => ReadAsync(fake));
        var closed = ModelFactory.StreamedOutput(["a"]);
        await closed.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ReadAsync(closed));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.GetResponseAsync());
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 2)]
    public async Task FakesThatAreClosedEndTheirLoop(int last, int count)
    {
        var fake = ModelFactory.StreamedOutput([0, 1]);
        var outputs = new List<int>();
        var reading = ReadAndCloseAsync();
        if (last == 0)
        {
            await Assert.ThrowsAsync<OperationCanceledException>(() => reading);
        }
        else
        {
            await reading;
        }

        Assert.Equal(count, outputs.Count);

        async Task ReadAndCloseAsync()
        {
            await foreach (var output in fake)
            {
                outputs.Add(output);
                if (output == last)
                {
                    await fake.DisposeAsync();
                }
            }
        }
    }

    [Fact]
    public async Task FakesFailAsTheirMessagesDo()
    {
        Assert.Equal(["a", "b"], await ReadAsync(ModelFactory.StreamedOutput(["a", "b"])));
        var words = new List<string>();
        await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(ModelFactory.StreamedOutput(Failing()), words));
        Assert.Equal(["a"], words);
        var response = await ModelFactory.StreamedOutput<string>([], ModelFactory.ApiResponse(status: 201)).GetResponseAsync();
        Assert.Equal(201, response.Status);

        static IEnumerable<string> Failing()
        {
            yield return "a";
            throw new StreamInterruptedException("cut off");
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task FakesThatAreSlowCanBeCancelledAndClosed(bool isCancelled)
    {
        using var cancellation = new CancellationTokenSource();
        var fake = ModelFactory.StreamedOutput(SlowAsync(default));
        await using var reader = fake.GetAsyncEnumerator(cancellation.Token);
        Assert.True(await reader.MoveNextAsync());
        var next = reader.MoveNextAsync().AsTask();
        await (isCancelled ? cancellation.CancelAsync() : fake.DisposeAsync().AsTask());
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(() => next);
        Assert.Equal(isCancelled, failure.CancellationToken == cancellation.Token);
        Assert.Equal((isCancelled ? "the call was cancelled" : "the stream was closed", "0"), (failure.Message, fake.LastEventId));

        static async IAsyncEnumerable<string> SlowAsync([EnumeratorCancellation] CancellationToken token)
        {
            yield return "a";
            await Task.Delay(Timeout.InfiniteTimeSpan, token);
        }
    }

    private static async Task<List<string>> ReadAsync(StreamedOutput<string> outputs, List<string>? words = null)
    {
        words ??= [];
        await foreach (var word in outputs)
        {
            words.Add(word);
        }

        return words;
    }

    /// <summary>Responses a request with a body.</summary>
    private sealed class Response(Stream body) : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            var content = new StreamContent(body);
            content.Headers.ContentType = new MediaTypeHeaderValue("text/event-stream");
            return Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK) { Content = content });
        }
    }

    /// <summary>A body whose parts arrive when they are added.</summary>
    private sealed class Arrivals : MemoryStream
    {
        private readonly Channel<string> _parts = Channel.CreateUnbounded<string>();

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            Encoding.UTF8.GetBytes(await _parts.Reader.ReadAsync(cancellationToken), buffer.Span);

        internal void Add(string part) => Assert.True(_parts.Writer.TryWrite(part));
    }

    /// <summary>A body that never arrives.</summary>
    private sealed class Body : MemoryStream
    {
        private int _readers;

        /// <summary>Runs in each read, before it waits.</summary>
        internal Func<ValueTask> WhileRead { get; set; } = () => default;

        internal int MostReaders { get; private set; }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            MostReaders = Math.Max(MostReaders, ++_readers);
            try
            {
                await WhileRead();
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
                return 0;
            }
            finally
            {
                _readers--;
            }
        }
    }

    /// <summary>Responses each request with the beginning of an event stream, which it does not end, or asks for its input.</summary>
    private sealed class Server : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly TaskCompletionSource _closed = new();
        private readonly HttpClient _http;

        internal Server(string events, Action<LogEvent>? logger = null)
        {
            _listener.Start();
            // A response that is only disposed of would be read on without end.
            _http = new HttpClient(new SocketsHttpHandler { ResponseDrainTimeout = Timeout.InfiniteTimeSpan, UseProxy = false });
            Connection = new Connection(
                new ClientOptions
                {
                    ApiKey = "a-key-of-the-tests",
                    BaseUrl = $"http://{_listener.LocalEndpoint}",
                    HttpClient = _http,
                    Logger = logger ?? Log.Add,
                    MaxRetries = 0,
                },
                "tests");
            _ = ServeAsync(events);
        }

        internal Connection Connection { get; }

        internal List<LogEvent> Log { get; } = [];

        internal int Requests { get; private set; }

        /// <summary>Completes when the client closes a connection.</summary>
        internal Task Closed => _closed.Task;

        public void Dispose()
        {
            _listener.Dispose();
            _http.Dispose();
            Connection.Dispose();
        }

        internal StreamedOutput<string> Stream(CallOptions? options = null, CancellationToken token = default) =>
            Node.Stream(Connection, "hello", options, token);

        internal StreamedOutput<string> Upload(IAsyncEnumerable<string> inputs, CancellationToken token = default) =>
            Node.Upload(Connection, inputs, null, token);

        private async Task ServeAsync(string events)
        {
            try
            {
                while (true)
                {
                    _ = RespondAsync(await _listener.AcceptTcpClientAsync(), events);
                }
            }
            catch (Exception end) when (end is SocketException or ObjectDisposedException)
            {
                // The test has ended.
            }
        }

        private async Task RespondAsync(TcpClient client, string events)
        {
            using (client)
            {
                var stream = client.GetStream();
                var buffer = new byte[4096];
                var count = await stream.ReadAsync(buffer);
                Requests += count > 0 ? 1 : 0;
                var head = events.Length == 0 ? "HTTP/1.1 100 Continue\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
                try
                {
                    await stream.WriteAsync(Encoding.UTF8.GetBytes(head + events));
                    while (count > 0)
                    {
                        count = await stream.ReadAsync(buffer);
                    }
                }
                catch (IOException)
                {
                    // The connection was reset.
                }

                _closed.TrySetResult();
            }
        }
    }
}
