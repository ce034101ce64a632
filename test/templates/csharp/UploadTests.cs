using System.Net;
using System.Net.Sockets;
using System.Text;
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

    private static ValueTask WriteAsync(NetworkStream stream, string text) => stream.WriteAsync(Encoding.ASCII.GetBytes(text));

    /// <summary>Serves one connection by a script, and closes it.</summary>
    private sealed class Server : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false });
        private readonly Task _serving;

        internal Server(Func<NetworkStream, Task> script)
        {
            _listener.Start();
            Connection = new Connection(
                new ClientOptions { ApiKey = "a-key", BaseUrl = $"http://{_listener.LocalEndpoint}", HttpClient = _http },
                "tests");
            _serving = ServeAsync(script);
        }

        internal Connection Connection { get; }

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

        private async Task ServeAsync(Func<NetworkStream, Task> script)
        {
            using var connection = await _listener.AcceptTcpClientAsync();
            await script(connection.GetStream());
        }
    }
}
