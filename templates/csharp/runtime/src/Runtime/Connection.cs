using System.Net;

namespace Svc.Runtime;

/// <summary>
/// A connection to the service: base URL, API key and retry policy. The calls of a client share it. It never shows the key.
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

    /// <summary>Identifies the SDK to the service.</summary>
    internal string Identity { get; }

    internal HttpClient HttpClient { get; }

    internal RetryBudget Budget { get; } = new();

    /// <inheritdoc/>
    public void Dispose() => _own?.Dispose();

    /// <summary>Shows the base URL.</summary>
    public override string ToString() => $"client of {Settings.BaseUrl}";

    /// <summary>Starts a call.</summary>
    internal LogicalCall Begin(CallOptions? options, CancellationToken cancellationToken) =>
        new(this, options, cancellationToken);

    private static HttpClient MakeHttpClient()
    {
        // DNS records can change while a program runs.
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
