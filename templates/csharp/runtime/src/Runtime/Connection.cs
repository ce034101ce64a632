using System.Net;

namespace Svc.Runtime;

/// <summary>
/// The way to the service: address, key and the policy of retries. The calls of a client share one. It never shows the key.
/// </summary>
internal sealed class Connection : IDisposable
{
    private readonly HttpClient? _own;

    internal Connection(ClientOptions? options, string identity)
    {
        var given = options ?? new ClientOptions();
        Settings = new Settings(given);
        Identity = identity;
        _own = given.HttpClient is null ? MakeHttpClient() : null;
        HttpClient = given.HttpClient ?? _own!;
    }

    internal Settings Settings { get; }

    /// <summary>Names the SDK to the service.</summary>
    internal string Identity { get; }

    internal HttpClient HttpClient { get; }

    internal RetryBudget Budget { get; } = new();

    /// <inheritdoc/>
    public void Dispose() => _own?.Dispose();

    /// <summary>Shows where the connection leads.</summary>
    public override string ToString() => $"client of {Settings.BaseUrl}";

    /// <summary>Opens a logical call.</summary>
    internal LogicalCall Begin(CallOptions? options, CancellationToken cancellationToken) =>
        new(this, options, cancellationToken);

    private static HttpClient MakeHttpClient()
    {
        // Names may move to other addresses while a program runs.
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.None,
            PooledConnectionLifetime = TimeSpan.FromMinutes(5),
            UseCookies = false,
        };
        return new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
    }
}
