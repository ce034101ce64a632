namespace Svc.Runtime;

/// <summary>How a client calls. Everything may be left out.</summary>
public sealed class ClientOptions
{
    /// <summary>The API key; without it, <c>SVC_API_KEY</c> of the environment.</summary>
    public string? ApiKey { get; init; }

    /// <summary>
    /// The address of the service, such as <c>https://svc.example.com</c>; without it, <c>SVC_BASE_URL</c> of the environment.
    /// </summary>
    public string? BaseUrl { get; init; }

    /// <summary>
    /// Bounds a whole call, its retries and waits included. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> sets no
    /// bound.
    /// </summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How often a call is tried again after connection errors and the statuses 408, 429 and 5xx.</summary>
    public int MaxRetries { get; init; } = 2;

    /// <summary>
    /// Bounds the wait before the first retry. A wait is random between 0 and its bound, which doubles with each retry.
    /// </summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Bounds every wait before a retry.</summary>
    public TimeSpan MaxRetryDelay { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>Further headers. Those that the SDK sends itself cannot be replaced.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }

    /// <summary>
    /// Sends the requests: for proxies, certificates, <c>IHttpClientFactory</c> or tests. It stays the caller's to dispose of,
    /// should follow no redirects, and have a <c>Timeout</c> that is longer than those of calls, or none.
    /// </summary>
    public HttpClient? HttpClient { get; init; }

    /// <summary>
    /// Is told of requests, answers, retries and failures. The API key appears in none of it; what the logger throws is ignored.
    /// </summary>
    public Action<LogEvent>? Logger { get; init; }
}
