namespace Svc.Runtime;

/// <summary>Options of a client. All are optional. A client copies them when it is created; later changes have no effect on it.</summary>
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
    /// default 60 seconds, and five minutes for a whole stream. A call without a timeout can wait without end for a service that
    /// does not respond, unless <see cref="AttemptTimeout"/> is set, and for one that keeps responding 429 with <c>Retry-After</c>.
    /// </summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>
    /// The timeout of each attempt, so that a request without a response is retried. Set it above the time of the slowest
    /// node. It does not limit a stream whose response has begun. Disabled by default.
    /// </summary>
    public TimeSpan AttemptTimeout { get; set; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>
    /// The maximum number of retries after connection errors, attempts that time out, and the statuses 408, 429 and 5xx.
    /// Retries after 429 with <c>Retry-After</c> do not count: only <see cref="Timeout"/> bounds them, so that a call without a
    /// timeout repeats its request for as long as the service responds so. 0 disables these retries too. After a <c>Retry-After</c>
    /// of more than a minute, a call fails at once. A request that starts a run of a flow is not retried later than four minutes after
    /// its first attempt that failed other than with a 429.
    /// </summary>
    public int MaxRetries { get; set; } = 2;

    /// <summary>
    /// The retries available to the client while calls fail. A call that succeeds by a retry returns that retry, and any other
    /// successful call a tenth of one. Retries after 429 with <c>Retry-After</c> do not count, nor do requests of waits, followed
    /// runs and readers of split output that have begun. <see cref="int.MaxValue"/> disables the limit.
    /// </summary>
    public int RetryBudget { get; set; } = 100;

    /// <summary>
    /// The maximum delay before the first retry. Delays are random between 0 and a bound that doubles with each retry.
    /// </summary>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The maximum delay before any retry.</summary>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(8);

    /// <summary>
    /// Additional headers. Names ignore case. A <c>User-Agent</c> is put in front of the one of the SDK. Other headers of the SDK, such as
    /// <c>Authorization</c>, are refused with a <see cref="ConfigurationException"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string>? Headers { get; set; }

    /// <summary>
    /// The client that sends requests, for example for proxies, certificates, <c>IHttpClientFactory</c> or tests. The caller
    /// disposes of it. Create its handler with <see cref="CreateHttpHandler"/>. Its <c>Timeout</c> bounds each attempt. By default, all
    /// clients of the process share one, which uses the proxy of the environment.
    /// </summary>
    public HttpClient? HttpClient { get; set; }

    /// <summary>
    /// Receives requests, responses, retries and failures, without the API key. Exceptions of the logger are ignored.
    /// </summary>
    public Action<LogEvent>? Logger { get; set; }

    /// <summary>
    /// Creates the handler of an <see cref="HttpClient"/> of your own, with the settings of the built-in one: it follows no redirects,
    /// sends each request once (except one that an HTTP/2 server refuses unprocessed), renews its connections, and detects dead ones.
    /// You can change the settings, for example the certificates.
    /// </summary>
    /// <returns>The handler.</returns>
    public static SocketsHttpHandler CreateHttpHandler() => Connection.MakeHandler();
}
