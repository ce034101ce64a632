using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Svc.Runtime;

/// <summary>
/// A connection to the service: base URL, API key and retry policy. The calls of a client share it. It never shows the key.
/// </summary>
internal sealed class Connection : IDisposable
{
    /// <summary>The transport of all clients without a custom one, so that a client per request does not open new connections.</summary>
    private static readonly HttpClient SharedHttpClient = MakeHttpClient();

    private bool _isDisposed;

    internal Connection(ClientOptions? options, string identity)
    {
        var given = options ?? new ClientOptions();
        Settings = new Settings(given);
        Identity = identity;
        HttpClient = given.HttpClient ?? SharedHttpClient;
        Budget = new RetryBudget(Settings.RetryBudget);
    }

    /// <summary>Returns the connection of a client or handle.</summary>
    /// <param name="connection">The connection; null if the program mocks the client or handle.</param>
    /// <param name="member">The member that was called.</param>
    /// <exception cref="NotSupportedException">There is none.</exception>
    internal static Connection Of(Connection? connection, [CallerMemberName] string member = "") =>
        connection ?? throw NotOverridden(member);

    /// <summary>Returns the exception for a member that a mock does not override.</summary>
    internal static NotSupportedException NotOverridden([CallerMemberName] string member = "") =>
        new($"{member} is called on a mock that does not override it");

    internal Settings Settings { get; }

    /// <summary>The class name of the client, for exceptions.</summary>
    internal Type Client { get; init; } = typeof(Connection);

    /// <summary>Identifies the SDK to the service.</summary>
    internal string Identity { get; }

    internal HttpClient HttpClient { get; }

    /// <summary>Whether the transport itself detects dead connections.</summary>
    internal bool FindsDeadConnections => HttpClient == SharedHttpClient;

    internal RetryBudget Budget { get; }

    /// <summary>
    /// The time after the first failed attempt within which a request that starts a run may be retried. Idempotency keys expire after
    /// five minutes; a later retry would start a second run.
    /// </summary>
    internal TimeSpan RetryTime { get; init; } = TimeSpan.FromMinutes(4);

    /// <summary>
    /// The timeout of each poll of a wait, and of each request of a followed run after its first page, if the program sets no
    /// <see cref="CallOptions.AttemptTimeout"/>.
    /// </summary>
    internal TimeSpan LookTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The times of followed runs.</summary>
    internal FollowTimes FollowTimes { get; init; } = new();

    /// <summary>Rejects further calls. Connections belong to the process or to the caller.</summary>
    public void Dispose() => _isDisposed = true;

    /// <summary>Shows the base URL.</summary>
    public override string ToString() => $"client of {Settings.BaseUrl}";

    /// <summary>Performs a call. Its requests share a deadline, a trace span and the details of exceptions.</summary>
    /// <param name="operation">The name in traces and metrics.</param>
    /// <param name="options">Options of the call.</param>
    /// <param name="perform">Sends the requests.</param>
    /// <param name="executionId">The execution that the call refers to, if known.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <param name="usualTimeout">The default timeout; by default, that of calls.</param>
    internal async Task<T> CallAsync<T>(
        string operation,
        CallOptions? options,
        Func<LogicalCall, Task<T>> perform,
        string? executionId,
        CancellationToken cancellationToken,
        TimeSpan? usualTimeout = null)
    {
        using var call = Begin(options, usualTimeout ?? Settings.UsualTimeout, cancellationToken);
        call.ExecutionId = executionId;
        using var telemetry = new CallTelemetry(operation);
        try
        {
            return await perform(call).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            call.Describe(failure);
            if (failure is SvcException late
                and (InvalidResponseException or StreamInterruptedException or FlowFailedException or WaitTimeoutException))
            {
                call.LogFailure(late);
            }

            telemetry.Fail(failure);
            throw;
        }
        finally
        {
            telemetry.Count(call.Sent, call.ExecutionId);
        }
    }

    /// <summary>Creates a call and starts its timeout.</summary>
    internal LogicalCall Begin(CallOptions? options, TimeSpan usualTimeout, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, Client);
        return new LogicalCall(this, options, usualTimeout, cancellationToken);
    }

    /// <summary>
    /// Returns the transport. It follows changes of DNS records, and detects a dead host or connection within two minutes, with HTTP/2
    /// pings or TCP keep-alive.
    /// </summary>
    internal static SocketsHttpHandler MakeHandler() => new()
    {
        AllowAutoRedirect = false,
        AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate,
        ConnectCallback = ConnectAsync,
        ConnectTimeout = TimeSpan.FromSeconds(10),
        EnableMultipleHttp2Connections = true,
        KeepAlivePingDelay = TimeSpan.FromSeconds(30),
        KeepAlivePingTimeout = TimeSpan.FromSeconds(15),
        PooledConnectionLifetime = TimeSpan.FromMinutes(5),
        PlaintextStreamFilter = (context, _) =>
            new(context.NegotiatedHttpVersion == HttpVersion.Version11 ? new WatchedStream(context.PlaintextStream) : context.PlaintextStream),
        UseCookies = false,
    };

    /// <summary>Opens a connection like the default transport, and enables TCP keep-alive.</summary>
    private static async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            KeepAlive(socket);
            await socket.ConnectAsync(context.DnsEndPoint, cancellationToken).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void KeepAlive(Socket socket)
    {
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        try
        {
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, 30);
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, 15);
            socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, 3);
        }
        catch (SocketException)
        {
            // Older systems use their own times.
        }
    }

    private static HttpClient MakeHttpClient() => new(MakeHandler())
    {
        DefaultRequestVersion = HttpVersion.Version20,
        DefaultVersionPolicy = HttpVersionPolicy.RequestVersionOrLower,
        Timeout = Timeout.InfiniteTimeSpan,
    };
}
