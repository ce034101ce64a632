using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;

namespace Svc.Runtime.Tests;

/// <summary>A received request.</summary>
internal sealed record Arrival(string Method, string Path, IReadOnlyDictionary<string, string> Headers, string Body);

/// <summary>A scripted response.</summary>
internal sealed record Response(string Body, int Status = 200, params string[] Headers)
{
    /// <summary>The connection is closed before the response.</summary>
    internal static Response Reset { get; } = new("", 0);

    /// <summary>The connection is closed after half of the body.</summary>
    internal bool IsCut { get; init; }

    /// <summary>The response is sent and the connection is closed before the request body is read.</summary>
    internal bool IsEarly { get; init; }

    /// <summary>The messages of a WebSocket. The connection is lost after them.</summary>
    internal string[]? Messages { get; init; }

    /// <summary>Whether the client sends a message after the first one of the WebSocket.</summary>
    internal bool IsSession { get; init; }

    /// <summary>A live session that accepts one message.</summary>
    /// <param name="frames">The frames after it.</param>
    internal static Response Session(params string[] frames) => Socket(frames) with { IsSession = true };

    /// <summary>A WebSocket to a run.</summary>
    /// <param name="events">The events after the first message.</param>
    internal static Response Socket(params string[] events) =>
        new("", 101) { Messages = ["""{"type":"SESSION_READY"}""", .. events] };
}

/// <summary>An HTTP server with scripted responses that records its requests.</summary>
internal sealed class ScriptedServer : IDisposable
{
    internal const string Key = "svc-key-of-the-tests";
    internal const string ExecutionId = "0123456789abcdef0123456789abcdef";

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Queue<Response> _script;

    internal ScriptedServer(params Response[] script)
    {
        // A proxy of the environment would not reach this machine.
        HttpClient.DefaultProxy = new WebProxy();
        _script = new Queue<Response>(script);
        _listener.Start();
        BaseUrl = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
        _ = ServeAsync();
    }

    internal string BaseUrl { get; }

    internal List<Arrival> Arrivals { get; } = [];

    /// <summary>The messages received by live sessions.</summary>
    internal List<string> Messages { get; } = [];

    /// <summary>Creates a client of this server without retry delays.</summary>
    internal SvcClient Connect(Action<LogEvent>? logger = null) => new(new ClientOptions
    {
        ApiKey = Key,
        BaseUrl = BaseUrl,
        RetryDelay = TimeSpan.Zero,
        Logger = logger,
    });

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var connection = await _listener.AcceptTcpClientAsync();
                try
                {
                    await RespondAsync(connection.GetStream());
                }
                catch (Exception lost) when (lost is IOException or WebSocketException)
                {
                    // The client closed this connection and may open another one.
                }
            }
        }
        catch (Exception end) when (end is SocketException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    private async Task RespondAsync(NetworkStream stream)
    {
        var arrival = await ReadHeadAsync(stream);
        var response = _script.Count > 0 ? _script.Dequeue() : new Response("the script is at its end", 500);
        arrival = response.IsEarly ? arrival : arrival with { Body = await ReadBodyAsync(stream, arrival.Headers) };
        Arrivals.Add(arrival);
        if (response == Response.Reset)
        {
            return;
        }

        if (response.Messages is { } messages)
        {
            using var socket = await OpenAsync(stream, arrival.Headers["Sec-WebSocket-Key"]);
            await SendAsync(messages[..1], socket);
            if (response.IsSession)
            {
                var buffer = new byte[64 * 1024];
                var received = await socket.ReceiveAsync(buffer, CancellationToken.None);
                Messages.Add(Encoding.UTF8.GetString(buffer, 0, received.Count));
            }

            await SendAsync(messages[1..], socket);
            return;
        }

        var body = Encoding.UTF8.GetBytes(response.Body);
        string[] head =
        [
            $"HTTP/1.1 {response.Status} Scripted",
            $"Content-Length: {body.Length}",
            "Connection: close",
            .. response.Headers,
        ];
        await stream.WriteAsync(Encoding.ASCII.GetBytes(string.Join("\r\n", head) + "\r\n\r\n"));
        await stream.WriteAsync(response.IsCut ? body.AsMemory(0, body.Length / 2) : body);
    }

    private static async Task<WebSocket> OpenAsync(NetworkStream stream, string key)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        hash.AppendData(Encoding.ASCII.GetBytes($"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
        string[] head =
        [
            "HTTP/1.1 101 Switching Protocols",
            "Connection: Upgrade",
            "Upgrade: websocket",
            $"Sec-WebSocket-Accept: {Convert.ToBase64String(hash.GetHashAndReset())}",
        ];
        await stream.WriteAsync(Encoding.ASCII.GetBytes(string.Join("\r\n", head) + "\r\n\r\n"));
        return WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
    }

    private static async Task SendAsync(string[] messages, WebSocket socket)
    {
        foreach (var message in messages)
        {
            await socket.SendAsync(Encoding.UTF8.GetBytes(message), WebSocketMessageType.Text, true, CancellationToken.None);
        }
    }

    private static async Task<Arrival> ReadHeadAsync(NetworkStream stream)
    {
        var bytes = new List<byte>();
        var one = new byte[1];
        while (!bytes.TakeLast(4).SequenceEqual("\r\n\r\n"u8.ToArray()))
        {
            await stream.ReadExactlyAsync(one);
            bytes.Add(one[0]);
        }

        var lines = Encoding.ASCII.GetString([.. bytes]).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        var headers = lines.Skip(1)
            .Select(line => line.Split(": ", 2))
            .ToDictionary(parts => parts[0], parts => parts[1], StringComparer.OrdinalIgnoreCase);
        var words = lines[0].Split(' ');
        return new Arrival(words[0], words[1], headers, "");
    }

    private static async Task<string> ReadBodyAsync(NetworkStream stream, IReadOnlyDictionary<string, string> headers)
    {
        if (headers.ContainsKey("Expect"))
        {
            await stream.WriteAsync("HTTP/1.1 100 Continue\r\n\r\n"u8.ToArray());
        }

        var body = headers.ContainsKey("Transfer-Encoding")
            ? await ReadChunksAsync(stream)
            : await ReadAsync(stream, headers.TryGetValue("Content-Length", out var length) ? int.Parse(length, null) : 0);
        return Encoding.UTF8.GetString(body);
    }

    private static async Task<byte[]> ReadChunksAsync(NetworkStream stream)
    {
        var body = new List<byte>();
        while (true)
        {
            var size = "";
            while (!size.EndsWith('\n'))
            {
                size += (char)(await ReadAsync(stream, 1))[0];
            }

            var chunk = await ReadAsync(stream, Convert.ToInt32(size.Trim(), 16) + 2);
            if (chunk.Length == 2)
            {
                return [.. body];
            }

            body.AddRange(chunk[..^2]);
        }
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes);
        return bytes;
    }
}
