namespace Svc.Runtime;

/// <summary>Options of one call. They override those of the client. Later changes do not affect the call.</summary>
public sealed class CallOptions
{
    /// <summary>
    /// The timeout of the call, retries included. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> disables it; see
    /// <see cref="ClientOptions.Timeout"/> for the consequences.
    /// </summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>The timeout of each attempt. An attempt that exceeds it is retried.</summary>
    public TimeSpan? AttemptTimeout { get; set; }

    /// <summary>The maximum number of retries, counted as in <see cref="ClientOptions.MaxRetries"/>.</summary>
    public int? MaxRetries { get; set; }

    /// <summary>
    /// The idempotency key: the service starts at most one run of a flow per key within five minutes. Calls of nodes and streams
    /// ignore it, so each retry calls the node again. Reusing a key with another flow or input throws an
    /// <see cref="IdempotencyMismatchException"/>. Defaults to a random key.
    /// </summary>
    public string? IdempotencyKey { get; set; }

    /// <summary>
    /// Additional headers. They are sent together with those of the client, and replace those with the same name. Names ignore case.
    /// Headers of the SDK are rejected, as in <see cref="ClientOptions.Headers"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string>? Headers { get; set; }

    /// <summary>Validates and copies the options, for calls that send their requests later.</summary>
    /// <exception cref="ConfigurationException">An option is malformed.</exception>
    internal CallOptions Copy() => new()
    {
        Timeout = Timeout is { } timeout ? Settings.CheckTimeout(timeout) : null,
        AttemptTimeout = AttemptTimeout is { } limit ? Settings.CheckTimeout(limit) : null,
        MaxRetries = MaxRetries is { } retries ? Settings.CheckRetries(retries) : null,
        IdempotencyKey = IdempotencyKey is { } key ? Settings.CheckIdempotencyKey(key) : null,
        Headers = Headers is { } headers ? Settings.CheckHeaders(headers) : null,
    };
}
