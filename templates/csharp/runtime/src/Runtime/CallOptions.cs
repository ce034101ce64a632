namespace Svc.Runtime;

/// <summary>How a single call differs from what its client does.</summary>
public sealed class CallOptions
{
    /// <summary>
    /// Bounds the call, its retries and waits included. <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> sets no bound.
    /// </summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>How often the call is tried again.</summary>
    public int? MaxRetries { get; init; }

    /// <summary>
    /// Names the call, so that the service makes it once however often it is sent. Each call gets a random key without it.
    /// </summary>
    public string? IdempotencyKey { get; init; }

    /// <summary>Further headers. Those that the SDK sends itself cannot be replaced.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }
}
