namespace Svc.Runtime;

/// <summary>Options of a client. All are optional. A client copies them when it is created; later changes do not affect it.</summary>
public sealed class ClientOptions
{
    /// <summary>The API key. Defaults to the <c>SVC_API_KEY</c> environment variable.</summary>
    public string? ApiKey { get; set; }

    /// <summary>
    /// The URL of the service, such as <c>https://svc.example.com</c>. Defaults to the <c>SVC_BASE_URL</c> environment
    /// variable.
    /// </summary>
    public string? BaseUrl { get; set; }

    /// <summary>
    /// The timeout of a call, retries included. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> disables it. By
    /// default 60 seconds, and five minutes for a whole stream. A call without a timeout can wait indefinitely for a service that
    /// does not respond, unless <see cref="AttemptTimeout"/> is set, or that keeps responding with 429 and <c>Retry-After</c>.
    /// </summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>
    /// The timeout of each attempt, so that a request without a response is retried. Set it above the duration of the slowest
    /// node. It does not limit a stream whose response has begun. Disabled by default.
    /// </summary>
    public TimeSpan AttemptTimeout { get; set; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>
    /// The maximum number of retries after connection errors, attempts that time out, and the statuses 408, 429 and 5xx.
    /// Retries after 429 with <c>Retry-After</c> do not count: they are limited only by <see cref="Timeout"/>, so a call without a
    /// timeout retries for as long as the service sends such responses. 0 disables these retries as well. A <c>Retry-After</c> of more
    /// than a minute fails the call immediately. A request that starts a flow run is not retried later than four minutes after its
    /// first attempt that failed with anything but a 429.
    /// </summary>
    public int MaxRetries { get; set; } = 2;

    /// <summary>
    /// The capacity of the token bucket for retries, shared by all calls of the client. A retry takes one token. A call that succeeds
    /// after a retry returns one, and any other successful call returns a tenth of one. Retries after 429 with <c>Retry-After</c> take
    /// none, nor do later requests of waits, followed runs and readers of split output. <see cref="int.MaxValue"/> disables the limit.
    /// </summary>
    public int RetryBudget { get; set; } = 100;

    /// <summary>
    /// The maximum delay before the first retry. Delays are random between 0 and a bound that doubles with each retry.
    /// </summary>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The maximum delay before any retry.</summary>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(8);

    /// <summary>
    /// Additional headers. Names ignore case. A <c>User-Agent</c> is prepended to that of the SDK. Other headers of the SDK, such as
    /// <c>Authorization</c>, are rejected with a <see cref="ConfigurationException"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string>? Headers { get; set; }

    /// <summary>
    /// The HTTP client that sends requests, for example for proxies, certificates, <c>IHttpClientFactory</c> or tests. The caller
    /// disposes of it. Create its handler with <see cref="CreateHttpHandler"/>. Its <c>Timeout</c> limits each attempt. By default, all
    /// clients of the process share one, which uses the proxy of the environment.
    /// </summary>
    public HttpClient? HttpClient { get; set; }

    /// <summary>
    /// Receives requests, responses, retries and failures, without the API key. Exceptions of the logger are ignored.
    /// </summary>
    public Action<LogEvent>? Logger { get; set; }

    /// <summary>
    /// Creates the handler for a custom <see cref="HttpClient"/>, with the settings of the built-in one: it follows no redirects, sends
    /// each request once (unless an HTTP/2 server rejects it unprocessed), renews its connections, and detects dead ones. You can
    /// change the settings, for example the certificates.
    /// </summary>
    /// <returns>The handler.</returns>
    public static SocketsHttpHandler CreateHttpHandler() => Connection.MakeHandler();
}
