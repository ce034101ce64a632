namespace Svc.Runtime;

/// <summary>Options of one call. They override those of the client.</summary>
public sealed class CallOptions
{
    /// <summary>
    /// The timeout of the call, retries included. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> disables it.
    /// </summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>The timeout of each attempt. An attempt that exceeds it is retried.</summary>
    public TimeSpan? AttemptTimeout { get; init; }

    /// <summary>The maximum number of retries.</summary>
    public int? MaxRetries { get; init; }

    /// <summary>
    /// The idempotency key: the service starts at most one run of a flow per key within five minutes. Calls of nodes and streams
    /// ignore it, so a retry may call a node twice. Defaults to a random key.
    /// </summary>
    public string? IdempotencyKey { get; init; }

    /// <summary>Additional headers. Headers set by the SDK cannot be replaced.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }
}
