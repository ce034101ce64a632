using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using Xunit;

namespace Svc.Runtime.Tests;

public class LiveTests
{
    private const string Ready = """
        {"type":"SESSION_READY","execution_id":"e-1","limits":{"input_frame_bytes":70000000,"input_bytes":8,"input_frames":9,
        "output_bytes":10,"session_seconds":300,"stall_seconds":30}}
        """;

    private const string Last = """{"is_final":true,"success":true}""";

    private static readonly NodeCall<string, string> Node = new("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);

    [Fact]
    public async Task SessionsNameTheirLimits()
    {
        await using var server = new Server(Silent);
        await using var session = await server.OpenAsync();
        var expected = new LiveSessionLimits
        {
            MaxInputMessageBytes = 70000000,
            MaxInputBytes = 8,
            MaxInputMessages = 9,
            MaxOutputBytes = 10,
            MaxDuration = TimeSpan.FromMinutes(5),
            StallTimeout = TimeSpan.FromSeconds(30),
        };
        Assert.Equal(expected, session.Limits);
        Assert.Equal(("e-1", "session e-1"), (session.ExecutionId, session.ToString()));
    }

    [Fact]
    public async Task LimitsThatCannotBeReadAreAbsent()
    {
        await using var server = new Server(Silent) { First = """{"type":"SESSION_READY","limits":{"input_frames":"9","session_seconds":1e99}}""" };
        await using var session = await server.OpenAsync();
        Assert.Equal((new LiveSessionLimits(), null), (session.Limits, session.ExecutionId));
    }

    [Fact]
    public async Task LeavingALoopKeepsTheSession()
    {
        await using var server = new Server(async peer =>
        {
            for (var place = 0; place < 3; place++)
            {
                await peer.SendAsync($"{{\"payload\":{await peer.ReceiveAsync()},\"is_final\":false}}");
            }

            await peer.SendAsync(Last);
        });
        await using var session = await server.OpenAsync();
        foreach (var word in new[] { "a", "b", "c" })
        {
            await session.SendAsync(word);
            await foreach (var echo in session.ReceiveAsync())
            {
                Assert.Equal(word, echo);
                break;
            }
        }

        Assert.Empty(await ReadAsync(session));
        Assert.Empty(await ReadAsync(session));
    }

    [Fact]
    public async Task CancellingALoopKeepsTheSession()
    {
        var go = new TaskCompletionSource();
        await using var server = new Server(async peer =>
        {
            await go.Task;
            await peer.SendAsync("""{"payload":"a","is_final":false}""");
            await peer.SendAsync(Last);
        });
        using var opening = new CancellationTokenSource();
        await using var session = await server.OpenAsync(token: opening.Token);
        await opening.CancelAsync();
        using var source = new CancellationTokenSource();
        var reading = ReadAsync(session, source.Token);
        await source.CancelAsync();
        var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        Assert.Equal(source.Token, failure.CancellationToken);
        go.SetResult();
        Assert.Equal(["a"], await ReadAsync(session));
    }

    [Fact]
    public async Task OneLoopReceives()
    {
        await using var server = new Server(Silent);
        await using var session = await server.OpenAsync();
        var reading = ReadAsync(session);
        await Assert.ThrowsAsync<InvalidOperationException>(() => ReadAsync(session));
        await session.CloseAsync();
        Assert.Empty(await reading);
    }

    [Fact]
    public async Task ClosingSaysSoAndEndsTheLoop()
    {
        var closed = new TaskCompletionSource<WebSocketCloseStatus?>();
        await using var server = new Server(async peer => closed.SetResult(await peer.CloseAsync()));
        var session = await server.OpenAsync();
        var reading = ReadAsync(session);
        await session.CloseAsync();
        Assert.Equal(WebSocketCloseStatus.NormalClosure, await closed.Task);
        Assert.Empty(await reading);
        Assert.Empty(await ReadAsync(session));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => session.SendAsync("a"));
        await session.DisposeAsync();
        Assert.DoesNotContain(server.Log, each => each.Kind == LogEventKind.Failure);
    }

    [Fact]
    public async Task ClosingIsTheReasonForSendersToo()
    {
        OneWay? stream = null;
        await using var server = new Server(Silent, async (context, token) =>
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(context.DnsEndPoint, token);
            return stream = new OneWay(socket);
        });
        var session = await server.OpenAsync();
        stream!.IsBroken = true;
        var sending = session.SendAsync("a");
        await session.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => sending);
    }

    [Fact]
    public async Task ManyCanSend()
    {
        var received = new TaskCompletionSource<List<string>>();
        await using var server = new Server(async peer =>
        {
            var words = new List<string>();
            while (words.Count < 100)
            {
                words.Add(await peer.ReceiveAsync());
            }

            received.SetResult(words);
        });
        await using var session = await server.OpenAsync();
        await Task.WhenAll(Enumerable.Range(0, 100).Select(place => Task.Run(() => session.SendAsync($"{place}"))));
        var expected = Enumerable.Range(0, 100).Select(place => $"\"{place}\"");
        Assert.Equal(expected.Order(StringComparer.Ordinal), (await received.Task).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task PingsAreAnsweredWhileNobodyReceives()
    {
        var answered = new TaskCompletionSource<byte>();
        await using var server = new Server(async peer =>
        {
            await peer.Stream.WriteAsync(new byte[] { 0x89, 0 });
            var pong = new byte[6];
            await peer.Stream.ReadExactlyAsync(pong);
            answered.SetResult(pong[0]);
        });
        await using var session = await server.OpenAsync();
        Assert.Equal(0x8a, await answered.Task);
    }

    [Theory]
    [InlineData(1013, "slow consumer", "1013: slow consumer")]
    [InlineData(1009, "", "1009: a message is too large")]
    [InlineData(1011, "", "1011")]
    public async Task EndsAreNamedToSendersToo(int code, string reason, string expected)
    {
        await using var server = new Server(peer => peer.Socket.CloseOutputAsync((WebSocketCloseStatus)code, reason, default));
        await using var session = await server.OpenAsync();
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(session));
        Assert.Equal($"the service closed the socket with {expected} (execution e-1)", failure.Message);
        Assert.Equal(("e-1", 1, 101), (failure.ExecutionId, failure.Attempts, failure.Status));
        var other = await Assert.ThrowsAsync<StreamInterruptedException>(() => session.SendAsync("a"));
        Assert.Equal(failure.Message, other.Message);
        Assert.Equal([LogEventKind.Request, LogEventKind.Response, LogEventKind.Failure], server.Log.Select(each => each.Kind));
    }

    [Fact]
    public async Task LostConnectionsEndTheSession()
    {
        await using var server = new Server(_ => Task.CompletedTask);
        await using var session = await server.OpenAsync();
        await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(session));
        await Assert.ThrowsAsync<StreamInterruptedException>(async () =>
        {
            while (true)
            {
                await session.SendAsync("a");
            }
        });
        Assert.Equal(1, server.Requests);
    }

    [Fact]
    public async Task FailuresOfTheNodeAreRepeated()
    {
        await using var server = new Server(async peer =>
        {
            await peer.SendAsync("""{"payload":"a","is_final":true,"error":"tired of a-key-of-the-tests"}""");
            await peer.CloseAsync();
        });
        await using var session = await server.OpenAsync();
        for (var loop = 0; loop < 2; loop++)
        {
            var words = new List<string>();
            var failure = await Assert.ThrowsAsync<NodeFailedException>(() => ReadAsync(session, words: words));
            Assert.Equal("tired of [redacted] (execution e-1)", failure.Message);
            Assert.Equal(loop == 0 ? ["a"] : [], words);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task FailuresOfTheNodeAreNamedToSenders(bool isReceived)
    {
        await using var server = new Server(async peer =>
        {
            await peer.SendAsync("""{"is_final":true,"error":"tired"}""");
            await peer.CloseAsync();
        });
        await using var session = await server.OpenAsync();
        if (isReceived)
        {
            await Assert.ThrowsAsync<NodeFailedException>(() => ReadAsync(session));
        }

        var failure = await Assert.ThrowsAsync<NodeFailedException>(async () =>
        {
            while (true)
            {
                await session.SendAsync("a");
                await Task.Delay(10);
            }
        });
        Assert.Equal("tired (execution e-1)", failure.Message);
    }

    [Fact]
    public async Task NodesThatAreDoneTakeNoMessages()
    {
        await using var server = new Server(async peer =>
        {
            await peer.SendAsync(Last);
            await peer.CloseAsync();
        });
        await using var session = await server.OpenAsync();
        Assert.Empty(await ReadAsync(session));
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => session.SendAsync("a"));
        Assert.StartsWith("the session has ended", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MessagesWithoutAnEndAreInvalid()
    {
        await using var server = new Server(async peer =>
        {
            var part = new byte[1024 * 1024];
            Array.Fill(part, (byte)' ');
            while (peer.Socket.State == WebSocketState.Open)
            {
                await peer.Socket.SendAsync(part, WebSocketMessageType.Text, endOfMessage: false, default);
            }
        });
        await using var session = await server.OpenAsync();
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => ReadAsync(session));
        Assert.Contains("larger than 64 MiB", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task FramesThatAreInvalidAreNamed()
    {
        await using var server = new Server(peer => peer.Stream.WriteAsync(new byte[] { 0x81, 1, 0xff }).AsTask());
        await using var session = await server.OpenAsync();
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(session));
        Assert.Equal("the stream was cut off: the service sent an invalid frame (execution e-1)", failure.Message);
    }

    [Fact]
    public async Task SendersWaitForANodeThatTakesNothing()
    {
        await using var server = new Server(NeverAsync);
        await using var session = await server.OpenAsync();
        using var source = new CancellationTokenSource();
        var sending = SendAsync();
        Assert.NotSame(sending, await Task.WhenAny(sending, Task.Delay(TimeSpan.FromSeconds(3))));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(session));
        Assert.Equal("the stream was cut off: the sending of a message was cancelled (execution e-1)", failure.Message);

        async Task SendAsync()
        {
            for (var count = 0; count < 200; count++)
            {
                await session.SendAsync(new string('a', 1024 * 1024), source.Token);
            }
        }
    }

    [Fact]
    public async Task CancelledMessagesAreTheReasonHoweverTheConnectionEnds()
    {
        await using var server = new Server(NeverAsync, async (context, token) =>
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(context.DnsEndPoint, token);
            return new Orderly(socket);
        });
        await using var session = await server.OpenAsync();
        using var source = new CancellationTokenSource();
        var sending = session.SendAsync(new string('a', 32 * 1024 * 1024), source.Token);
        Assert.False(sending.IsCompleted, "the node took the message");
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);
        const string reason = "the stream was cut off: the sending of a message was cancelled (execution e-1)";
        Assert.Equal(reason, (await Assert.ThrowsAsync<StreamInterruptedException>(() => session.SendAsync("b"))).Message);
        Assert.Equal(reason, (await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(session))).Message);
    }

    [Fact]
    public async Task TimeoutsOfTheHttpClientAreTimeouts()
    {
        await using var server = new Server(Silent) { IsSilent = true };
        server.HttpTimeout = TimeSpan.FromSeconds(1);
        await Assert.ThrowsAsync<CallTimeoutException>(() => server.OpenAsync(new CallOptions { MaxRetries = 0 }));
    }

    [Fact]
    public async Task SessionsThatAreLostBeforeTheyAreReadyAreOpenedAgain()
    {
        await using var server = new Server(peer => peer.SendAsync(Last)) { Lost = 2 };
        await using var session = await server.OpenAsync();
        Assert.Empty(await ReadAsync(session));
        Assert.Equal(3, server.Requests);
    }

    [Fact]
    public async Task InvalidMessagesAreNumberedAndNotSent()
    {
        var received = new TaskCompletionSource<string>();
        await using var server = new Server(async peer =>
        {
            await peer.ReceiveAsync();
            received.SetResult(await peer.ReceiveAsync());
        });
        await using var session = await server.OpenAsync();
        await session.SendAsync("a");
        var failure = await Assert.ThrowsAsync<ValueException>(() => session.SendAsync("\ud800"));
        Assert.Equal("input message 1: string: not valid Unicode", failure.Message);
        await Assert.ThrowsAsync<ArgumentNullException>(() => session.SendAsync(null!));
        using var source = new CancellationTokenSource();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => session.SendAsync("b", source.Token));
        await session.SendAsync("c");
        Assert.Equal("\"c\"", await received.Task);
    }

    [Fact]
    public async Task SessionsOutliveTheTimeout()
    {
        await using var server = new Server(async peer =>
        {
            await peer.ReceiveAsync();
            await peer.SendAsync(Last);
        });
        var timeout = TimeSpan.FromSeconds(2);
        await using var session = await server.OpenAsync(new CallOptions { Timeout = timeout });
        await Task.Delay(timeout * 1.2);
        await session.SendAsync("a");
        Assert.Empty(await ReadAsync(session));
    }

    [Fact]
    public async Task OpeningIsCancelled()
    {
        await using var server = new Server(Silent) { First = null };
        using var source = new CancellationTokenSource();
        var opening = server.OpenAsync(token: source.Token);
        await server.Arrived;
        await source.CancelAsync();
        var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
        Assert.Equal(source.Token, failure.CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.OpenAsync(token: source.Token));
        Assert.Equal(1, server.Requests);
    }

    [Fact]
    public async Task SessionsCanBeMocked()
    {
        await using LiveSession<string, string> session = new Mock();
        await session.SendAsync("a");
        Assert.Equal(["A"], await ReadAsync(session));
        Assert.Equal(new LiveSessionLimits(), session.Limits);
    }

    private static Task Silent(Peer peer) => peer.CloseAsync();

    /// <summary>Takes no message, until the server is disposed of.</summary>
    private static Task NeverAsync(Peer peer) => Task.Delay(Timeout.InfiniteTimeSpan);

    private static async Task<List<string>> ReadAsync(
        LiveSession<string, string> session, CancellationToken token = default, List<string>? words = null)
    {
        words ??= [];
        await foreach (var word in session.ReceiveAsync(token))
        {
            words.Add(word);
        }

        return words;
    }

    private sealed class Mock : LiveSession<string, string>
    {
        private readonly List<string> _words = [];

        public override Task SendAsync(string input, CancellationToken cancellationToken = default)
        {
            _words.Add(input.ToUpperInvariant());
            return Task.CompletedTask;
        }

        public override IAsyncEnumerable<string> ReceiveAsync(CancellationToken cancellationToken = default) =>
            ModelFactory.StreamedOutput(_words);

        public override Task CloseAsync() => Task.CompletedTask;
    }

    /// <summary>A connection that can be read when it can no longer be written.</summary>
    private sealed class OneWay(Socket socket) : NetworkStream(socket, ownsSocket: true)
    {
        internal bool IsBroken { get; set; }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            IsBroken ? throw new IOException("broken") : base.WriteAsync(buffer, cancellationToken);
    }

    /// <summary>A connection whose pending read ends when it is disposed of, as if the service had closed it.</summary>
    private sealed class Orderly(Socket socket) : NetworkStream(socket, ownsSocket: true)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            try
            {
                return await base.ReadAsync(buffer, cancellationToken);
            }
            catch (Exception problem) when (problem is IOException or ObjectDisposedException)
            {
                return 0;
            }
        }
    }

    /// <summary>The side of the service of one session.</summary>
    private sealed record Peer(WebSocket Socket, NetworkStream Stream)
    {
        internal Task SendAsync(string text) =>
            Socket.SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true, default);

        internal async Task<string> ReceiveAsync()
        {
            var buffer = new byte[4096];
            var received = await Socket.ReceiveAsync(buffer, default);
            return Encoding.UTF8.GetString(buffer, 0, received.Count);
        }

        /// <summary>Reads until the client closes, and returns how.</summary>
        internal async Task<WebSocketCloseStatus?> CloseAsync()
        {
            var buffer = new byte[4096];
            while ((await Socket.ReceiveAsync(buffer, default)).MessageType != WebSocketMessageType.Close)
            {
            }

            return Socket.CloseStatus;
        }
    }

    /// <summary>
    /// Opens WebSockets, and leaves each to a script once it is ready. Then the connection is lost. Disposal ends a script that still
    /// waits, so that a failed test ends.
    /// </summary>
    private sealed class Server : IAsyncDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly TaskCompletionSource _arrived = new();
        private readonly CancellationTokenSource _ending = new();
        private readonly HttpClient _http;
        private readonly Connection _connection;
        private readonly Task _serving;

        internal Server(
            Func<Peer, Task> script,
            Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>>? connect = null)
        {
            _listener.Start();
            _http = new HttpClient(new SocketsHttpHandler { UseProxy = false, ConnectCallback = connect });
            _connection = new Connection(
                new ClientOptions
                {
                    ApiKey = "a-key-of-the-tests",
                    BaseUrl = $"http://{_listener.LocalEndpoint}",
                    HttpClient = _http,
                    Logger = Log.Add,
                    RetryDelay = TimeSpan.Zero,
                },
                "tests");
            _serving = ServeAsync(script);
        }

        /// <summary>The first message, if there should be one.</summary>
        internal string? First { get; init; } = Ready;

        /// <summary>Whether requests have no response.</summary>
        internal bool IsSilent { get; init; }

        internal TimeSpan HttpTimeout
        {
            set => _http.Timeout = value;
        }

        /// <summary>How many connections are lost before the first message.</summary>
        internal int Lost { get; init; }

        internal List<LogEvent> Log { get; } = [];

        internal int Requests { get; private set; }

        /// <summary>Completes when a request has arrived.</summary>
        internal Task Arrived => _arrived.Task;

        public async ValueTask DisposeAsync()
        {
            _listener.Dispose();
            _http.Dispose();
            _connection.Dispose();
            await _ending.CancelAsync();
            await _serving;
            _ending.Dispose();
        }

        internal Task<LiveSession<string, string>> OpenAsync(CallOptions? options = null, CancellationToken token = default) =>
            Node.OpenAsync(_connection, options, token);

        private async Task ServeAsync(Func<Peer, Task> script)
        {
            try
            {
                while (true)
                {
                    using var client = await _listener.AcceptTcpClientAsync();
                    await ServeAsync(client.GetStream(), script);
                }
            }
            catch (Exception end) when (end is SocketException or InvalidOperationException or OperationCanceledException)
            {
                // The test has ended.
            }
        }

        private async Task ServeAsync(NetworkStream stream, Func<Peer, Task> script)
        {
            var key = await ReadKeyAsync(stream);
            Requests++;
            _arrived.TrySetResult();
            if (IsSilent)
            {
                await stream.ReadAsync(new byte[1]);
                return;
            }

            var accept = SHA1.HashData(Encoding.ASCII.GetBytes($"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
            var head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + $"Sec-WebSocket-Accept: {Convert.ToBase64String(accept)}\r\n\r\n";
            await stream.WriteAsync(Encoding.ASCII.GetBytes(head));
            using var socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
            if (Requests <= Lost)
            {
                return;
            }

            var peer = new Peer(socket, stream);
            if (First is not null)
            {
                await peer.SendAsync(First);
            }

            try
            {
                await script(peer).WaitAsync(_ending.Token);
            }
            catch (WebSocketException)
            {
                // The client has left.
            }
        }

        private static async Task<string> ReadKeyAsync(NetworkStream stream)
        {
            using var reader = new StreamReader(stream, Encoding.ASCII, false, 1024, leaveOpen: true);
            var key = "";
            while (await reader.ReadLineAsync() is { Length: > 0 } line)
            {
                key = line.StartsWith("Sec-WebSocket-Key: ", StringComparison.OrdinalIgnoreCase) ? line[19..] : key;
            }

            return key;
        }
    }
}
