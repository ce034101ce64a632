using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading.Channels;
using Xunit;

namespace Svc.Runtime.Tests;

public class UploadTests
{
    private const string Continue = "HTTP/1.1 100 Continue\r\n\r\n";
    private const string Refusal = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";

    private const string Success =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        + """data: {"is_final":true,"success":true,"input_frames":2}""" + "\n\n";

    private static readonly NodeCall<string, string> Node = new("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);

    [Fact]
    public async Task RefusalsWithoutReadingTheInputAreErrorsOfCalls()
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Refusal);
        });
        var inputs = Enumerable.Repeat(new string('a', 1_000), 10_000);
        await Assert.ThrowsAsync<UnauthorizedException>(() => server.UploadAsync(inputs));
    }

    [Fact]
    public async Task ServersThatIgnoreTheExpectationGetTheInput()
    {
        var lines = "";
        using var server = new Server(async stream =>
        {
            Assert.Contains("Expect: 100-continue", await ReadHeadAsync(stream), StringComparison.OrdinalIgnoreCase);
            lines = await ReadUntilAsync(stream, "0\r\n\r\n");
            await WriteAsync(stream, Success);
        });
        await server.UploadAsync(["a", "b"]);
        Assert.Contains("\"a\"\n", lines, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ServersThatAskForTheInputGetItAtOnce()
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "0\r\n\r\n");
            await WriteAsync(stream, Success);
        });
        await server.UploadAsync(["a", "b"]);
    }

    [Fact]
    public async Task OtherRequestsDoNotWait()
    {
        var head = "";
        using var server = new Server(async stream =>
        {
            head = await ReadHeadAsync(stream);
            await WriteAsync(stream, Refusal);
        });
        await Assert.ThrowsAsync<UnauthorizedException>(() => Node.CallAsync(server.Connection, "a", null, default));
        Assert.DoesNotContain("Expect", head, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task RefusalsDoNotWaitForTheSource(bool isAsynchronous, bool hasMessage)
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            if (hasMessage)
            {
                await ReadUntilAsync(stream, "\"a\"\n");
            }

            await WriteAsync(stream, Refusal);
        });
        using var source = new Endless(hasMessage);
        await Assert.ThrowsAsync<UnauthorizedException>(() => server.UploadAsync(source, isAsynchronous));
        await source.ReleaseAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(9)]
    [InlineData(12)]
    [InlineData(40)]
    public async Task RefusalsMayComeInParts(int length)
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            await WriteAsync(stream, Refusal[..length]);
            await Task.Delay(50);
            await WriteAsync(stream, Refusal[length..]);
        });
        using var source = new Endless(hasMessage: true);
        var options = new CallOptions { Timeout = TimeSpan.FromSeconds(5) };
        await Assert.ThrowsAsync<UnauthorizedException>(() => server.UploadAsync(source, isAsynchronous: true, options));
        await source.ReleaseAsync();
    }

    [Theory]
    [InlineData(9, 100)]
    [InlineData(20, 100)]
    [InlineData(50, 60)]
    [InlineData(90, 100)]
    public async Task CompleteResponsesMayComeInParts(int first, int second)
    {
        var last = """data: {"is_final":true,"error":"tired"}""" + "\n\n";
        var response = $"{Continue}HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {last.Length}\r\n\r\n{last}";
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            foreach (var part in new[] { response[..first], response[first..second], response[second..] })
            {
                await WriteAsync(stream, part);
                await Task.Delay(50);
            }
        });
        using var source = new Endless(hasMessage: true);
        var options = new CallOptions { Timeout = TimeSpan.FromSeconds(5) };
        await Assert.ThrowsAsync<NodeFailedException>(() => server.UploadAsync(source, isAsynchronous: true, options));
        await source.ReleaseAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ResponsesThatAreCompleteDoNotWaitForTheSource(bool isInParts)
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            var last = """data: {"is_final":true,"error":"tired"}""" + "\n\n";
            string[] parts =
            [
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                $"{last.Length:x}\r\n{last}\r",
                "\n0\r\n\r\n",
            ];
            foreach (var part in isInParts ? parts : [string.Concat(parts)])
            {
                await WriteAsync(stream, part);
                await Task.Delay(50);
            }
        });
        using var source = new Endless(hasMessage: true);
        await Assert.ThrowsAsync<NodeFailedException>(() => server.UploadAsync(source, isAsynchronous: true));
        await source.ReleaseAsync();
    }

    [Fact]
    public async Task OutputsDuringTheInputDoNotHoldItUp()
    {
        var word = $"data: {{\"payload\":\"{new string('a', 1_000_000)}\"}}\n\n";
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            await WriteAsync(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
            for (var place = 0; place < 20; place++)
            {
                await WriteAsync(stream, word);
            }

            var rest = new byte[1_000_000];
            var count = 0;
            while (!rest.AsSpan(0, count).EndsWith("0\r\n\r\n"u8))
            {
                count = await stream.ReadAsync(rest);
            }

            await WriteAsync(stream, """data: {"is_final":true,"success":true,"input_frames":21}""" + "\n\n");
        });
        var inputs = Enumerable.Repeat(new string('b', 1_000_000), 20).Prepend("a");
        var outputs = 0;
        await foreach (var output in Node.Upload(server.Connection, inputs, new CallOptions { Timeout = TimeSpan.FromSeconds(20) }, default))
        {
            outputs++;
        }

        Assert.Equal(20, outputs);
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Timeouts
    {
        [Theory]
        [InlineData(true)]
        [InlineData(false)]
        public async Task TimeoutsDoNotWaitForTheSource(bool isAsynchronous)
        {
            using var server = new Server(async stream =>
            {
                await ReadHeadAsync(stream);
                await WriteAsync(stream, Continue);
                await ReadToEndAsync(stream);
            });
            using var source = new Endless(hasMessage: true);
            var options = new CallOptions { Timeout = TimeSpan.FromSeconds(4) };
            await Assert.ThrowsAsync<CallTimeoutException>(() => server.UploadAsync(source, isAsynchronous, options));
            await source.ReleaseAsync();
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CancellationDoesNotWaitForTheSource(bool isAsynchronous)
    {
        using var cancellation = new CancellationTokenSource();
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            await cancellation.CancelAsync();
            await ReadToEndAsync(stream);
        });
        using var source = new Endless(hasMessage: true);
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => server.UploadAsync(source, isAsynchronous, token: cancellation.Token));
        await source.ReleaseAsync();
    }

    [Theory]
    [InlineData(HttpStatusCode.Unauthorized, "application/json", "{}")]
    [InlineData(HttpStatusCode.OK, "text/event-stream", "data: {\"is_final\":true,\"error\":\"tired\"}\n\n")]
    public async Task ResponsesThatEndDuringTheInputEndIt(HttpStatusCode status, string type, string body)
    {
        var handler = new Duplex(new HttpResponseMessage(status) { Content = new StringContent(body, Encoding.UTF8, type) });
        using var http = new HttpClient(handler);
        using var connection = new Connection(
            new ClientOptions { ApiKey = "a-key-of-the-tests", BaseUrl = "http://127.0.0.1:9", HttpClient = http },
            "test/1");
        await Assert.ThrowsAnyAsync<StatusException>(async () =>
        {
            await foreach (var word in Node.Upload(connection, InputsAsync(), null, default))
            {
                Assert.Fail(word);
            }
        });
        await handler.Sending.WaitAsync(TimeSpan.FromSeconds(10));

        static async IAsyncEnumerable<string> InputsAsync()
        {
            while (true)
            {
                await Task.Delay(10);
                yield return "a";
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RefusalsLeaveTheRestOfAChannel(bool isDuplex)
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            await WriteAsync(stream, Refusal);
        });
        var refusal = new HttpResponseMessage(HttpStatusCode.Unauthorized);
        using var http = new HttpClient(new Duplex(refusal));
        using var duplex = new Connection(
            new ClientOptions { ApiKey = "a-key-of-the-tests", BaseUrl = "http://127.0.0.1:9", HttpClient = http },
            "test/1");
        var channel = Channel.CreateUnbounded<string>();
        channel.Writer.TryWrite("a");
        var ended = new TaskCompletionSource();
        var outputs = Node.Upload(isDuplex ? duplex : server.Connection, InputsAsync(), null, default);
        await Assert.ThrowsAsync<UnauthorizedException>(() => outputs.GetResponseAsync());
        await ended.Task.WaitAsync(TimeSpan.FromSeconds(30));
        channel.Writer.TryWrite("b");
        await Task.Delay(500);
        Assert.True(channel.Reader.TryRead(out var rest));
        Assert.Equal("b", rest);

        async IAsyncEnumerable<string> InputsAsync([EnumeratorCancellation] CancellationToken token = default)
        {
            try
            {
                await foreach (var input in channel.Reader.ReadAllAsync(token))
                {
                    yield return input;
                }
            }
            finally
            {
                ended.TrySetResult();
            }
        }
    }

    [Fact]
    public async Task NestedRequestsThatAreRefusedDoNotEndTheInput()
    {
        using var other = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Refusal);
        });
        var lines = "";
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            lines = await ReadUntilAsync(stream, "0\r\n\r\n");
            await WriteAsync(stream, Success);
        });
        await foreach (var output in Node.Upload(server.Connection, InputsAsync(), null, default))
        {
            Assert.Fail(output);
        }

        Assert.Contains("\"b\"\n", lines, StringComparison.Ordinal);

        async IAsyncEnumerable<string> InputsAsync()
        {
            yield return "a";
            await Assert.ThrowsAsync<UnauthorizedException>(() => Node.CallAsync(other.Connection, "a", null, default));
            yield return "b";
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RequestsOfTheCallerThatCompleteDoNotEndTheInput(bool isBefore)
    {
        using var other = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        });
        var lines = "";
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            lines = await ReadUntilAsync(stream, "0\r\n\r\n");
            await WriteAsync(stream, Success);
        });
        using var handler = ClientOptions.CreateHttpHandler();
        handler.UseProxy = false;
        using var outside = new HttpClient(handler, disposeHandler: false);
        using var tokens = new Tokens(handler, isBefore ? other.Address : null);
        using var http = new HttpClient(tokens);
        using var connection = new Connection(
            new ClientOptions { ApiKey = "a-key-of-the-tests", BaseUrl = server.Address.ToString(), HttpClient = http },
            "test/1");
        await foreach (var output in Node.Upload(connection, InputsAsync(), null, default))
        {
            Assert.Fail(output);
        }

        Assert.Contains("\"a\"\n", lines, StringComparison.Ordinal);
        Assert.Contains("\"b\"\n", lines, StringComparison.Ordinal);

        async IAsyncEnumerable<string> InputsAsync()
        {
            yield return "a";
            await (isBefore ? Task.CompletedTask : outside.GetStringAsync(other.Address));
            // An end of the input takes a moment to arrive.
            await Task.Delay(50);
            yield return "b";
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task ExceptionsOfTheSourceAreThoseOfTheCall(int place)
    {
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
        });
        var gone = new IOException("the disk is gone");
        Assert.Same(gone, await Assert.ThrowsAsync<IOException>(async () =>
        {
            await foreach (var output in Node.Upload(server.Connection, new Failing(gone, place), null, default))
            {
                Assert.Fail(output);
            }
        }));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SuccessesBeforeTheEndOfTheSourceAreInterruptions(bool isSplit)
    {
        var body = isSplit ? """{"input_frames":1}""" : """data: {"is_final":true,"success":true,"input_frames":1}""" + "\n\n";
        var type = isSplit ? "application/json" : "text/event-stream";
        using var server = new Server(async stream =>
        {
            await ReadHeadAsync(stream);
            await WriteAsync(stream, Continue);
            await ReadUntilAsync(stream, "\"a\"\n");
            await WriteAsync(stream, $"HTTP/1.1 200 OK\r\nContent-Type: {type}\r\nContent-Length: {body.Length}\r\n\r\n{body}");
        });
        using var source = new Endless(hasMessage: true);
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => isSplit
            ? Node.StreamOf(server.Connection, "s-1").UploadAsync(source.InputsAsync())
            : server.UploadAsync(source, isAsynchronous: true));
        Assert.Equal("the service ended the request before the input had ended", failure.Message);
        await source.ReleaseAsync();
    }

    [Fact]
    public async Task RefusedRequestsAreSentAgainWithAllOfTheirInput()
    {
        var lines = "";
        using var server = new Server(
            async stream =>
            {
                await ReadHeadAsync(stream);
                await WriteAsync(stream, Refusal);
            },
            async stream =>
            {
                await ReadHeadAsync(stream);
                await WriteAsync(stream, Continue);
                lines = await ReadUntilAsync(stream, "0\r\n\r\n");
                await WriteAsync(stream, Success);
            });
        await UploadRenewingAsync(server);
        Assert.Contains("\"a\"\n", lines, StringComparison.Ordinal);
        Assert.Contains("\"b\"\n", lines, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RequestsAreNotSentAgainWithoutTheInputThatWasRead()
    {
        var rest = "";
        using var server = new Server(
            async stream =>
            {
                await ReadHeadAsync(stream);
                await WriteAsync(stream, Continue);
                await ReadUntilAsync(stream, "\"a\"\n");
                await WriteAsync(stream, Refusal);
            },
            async stream =>
            {
                await ReadHeadAsync(stream);
                await WriteAsync(stream, Continue);
                rest = await ReadToEndAsync(stream);
            });
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => UploadRenewingAsync(server));
        Assert.StartsWith("the HTTP client sent the request again, but", failure.Message, StringComparison.Ordinal);
        Assert.Equal("", rest);
    }

    private static async Task UploadRenewingAsync(Server server)
    {
        using var handler = ClientOptions.CreateHttpHandler();
        handler.UseProxy = false;
        using var renewing = new Renewing(handler);
        using var http = new HttpClient(renewing);
        using var connection = new Connection(
            new ClientOptions { ApiKey = "a-key-of-the-tests", BaseUrl = $"{server.Address}", HttpClient = http },
            "test/1");
        await foreach (var output in Node.Upload(connection, InputsAsync(), null, default))
        {
            Assert.Fail(output);
        }

        static async IAsyncEnumerable<string> InputsAsync()
        {
            yield return "a";
            // A refusal takes a moment to arrive.
            await Task.Delay(50);
            yield return "b";
        }
    }

    private static Task<string> ReadHeadAsync(NetworkStream stream) => ReadUntilAsync(stream, "\r\n\r\n");

    private static async Task<string> ReadUntilAsync(NetworkStream stream, string end)
    {
        var text = new StringBuilder();
        var one = new byte[1];
        while (!text.ToString().EndsWith(end, StringComparison.Ordinal))
        {
            await stream.ReadExactlyAsync(one);
            text.Append((char)one[0]);
        }

        return text.ToString();
    }

    private static async Task<string> ReadToEndAsync(NetworkStream stream)
    {
        var text = new StringBuilder();
        var rest = new byte[1024];
        try
        {
            while (await stream.ReadAsync(rest) is > 0 and var count)
            {
                text.Append(Encoding.ASCII.GetString(rest, 0, count));
            }
        }
        catch (IOException)
        {
            // The client has left.
        }

        return text.ToString();
    }

    private static ValueTask WriteAsync(NetworkStream stream, string text) => stream.WriteAsync(Encoding.ASCII.GetBytes(text));

    /// <summary>Gets a token before each request, by the connections of the SDK, as a program may do.</summary>
    private sealed class Tokens(HttpMessageHandler inner, Uri? address) : DelegatingHandler(inner)
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken token)
        {
            if (address is not null)
            {
                using var asked = new HttpRequestMessage(HttpMethod.Get, address);
                using var given = await base.SendAsync(asked, token);
                await given.Content.ReadAsStringAsync(token);
            }

            return await base.SendAsync(request, token);
        }
    }

    /// <summary>Sends a request again after a 401, as a handler does that renews a token.</summary>
    private sealed class Renewing(HttpMessageHandler inner) : DelegatingHandler(inner)
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken token)
        {
            var response = await base.SendAsync(request, token);
            if (response.StatusCode != HttpStatusCode.Unauthorized)
            {
                return response;
            }

            response.Dispose();
            return await base.SendAsync(request, token);
        }
    }

    /// <summary>Fails when it is asked for its enumerator, for a message, or to be disposed of.</summary>
    private sealed class Failing(Exception failure, int place) : IAsyncEnumerable<string>, IAsyncEnumerator<string>
    {
        public string Current => "a";

        public IAsyncEnumerator<string> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
            place == 0 ? throw failure : this;

        public ValueTask<bool> MoveNextAsync() => place == 1 ? throw failure : new(false);

        public ValueTask DisposeAsync() => place == 2 ? throw failure : default;
    }

    /// <summary>A source that does not come to its next message until it is released.</summary>
    private sealed class Endless(bool hasMessage) : IDisposable
    {
        private readonly SemaphoreSlim _gate = new(0);
        private readonly TaskCompletionSource _closed = new();
        private volatile bool _hasBegun;

        public void Dispose() => _gate.Dispose();

        internal async Task ReleaseAsync()
        {
            _gate.Release();
            // A call can end before its source is asked for anything.
            await (_hasBegun ? _closed.Task : Task.CompletedTask);
        }

        internal IEnumerable<string> Inputs()
        {
            _hasBegun = true;
            try
            {
                if (hasMessage)
                {
                    yield return "a";
                }

                _gate.Wait();
            }
            finally
            {
                _closed.SetResult();
            }
        }

        internal async IAsyncEnumerable<string> InputsAsync()
        {
            _hasBegun = true;
            try
            {
                if (hasMessage)
                {
                    yield return "a";
                }

                await _gate.WaitAsync();
            }
            finally
            {
                _closed.SetResult();
            }
        }
    }

    /// <summary>Responds during the input, which is sent on meanwhile, as by HTTP/2.</summary>
    private sealed class Duplex(HttpResponseMessage response) : HttpMessageHandler
    {
        internal Task Sending { get; private set; } = Task.CompletedTask;

        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            Sending = request.Content!.CopyToAsync(Stream.Null, cancellationToken);
            return Task.FromResult(response);
        }
    }

    /// <summary>Serves one connection after the other by a script, and closes it.</summary>
    private sealed class Server : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly HttpClient _http;
        private readonly Task _serving;

        internal Server(params Func<NetworkStream, Task>[] scripts)
        {
            _listener.Start();
            var handler = Connection.MakeHandler();
            handler.UseProxy = false;
            _http = new HttpClient(handler);
            Connection = new Connection(
                new ClientOptions { ApiKey = "a-key-of-the-tests", BaseUrl = $"http://{_listener.LocalEndpoint}", HttpClient = _http },
                "tests");
            _serving = ServeAsync(scripts);
        }

        internal Connection Connection { get; }

        internal Uri Address => new($"http://{_listener.LocalEndpoint}");

        public void Dispose()
        {
            _listener.Dispose();
            _http.Dispose();
        }

        internal async Task UploadAsync(IEnumerable<string> inputs)
        {
            await foreach (var output in Node.Upload(Connection, inputs, null, default))
            {
                Assert.Fail(output);
            }

            await _serving;
        }

        internal async Task UploadAsync(
            Endless source, bool isAsynchronous, CallOptions? options = null, CancellationToken token = default)
        {
            var outputs = isAsynchronous
                ? Node.Upload(Connection, source.InputsAsync(), options, token)
                : Node.Upload(Connection, source.Inputs(), options, token);
            await foreach (var output in outputs)
            {
                Assert.Fail(output);
            }
        }

        private async Task ServeAsync(Func<NetworkStream, Task>[] scripts)
        {
            foreach (var script in scripts)
            {
                using var connection = await _listener.AcceptTcpClientAsync();
                var stream = connection.GetStream();
                await script(stream);
                // A connection that is closed while the client sends would be reset.
                connection.Client.Shutdown(SocketShutdown.Send);
                await ReadToEndAsync(stream);
            }
        }
    }
}
