namespace Svc.Runtime;

/// <summary>Time limits of followed runs.</summary>
internal sealed record FollowTimes
{
    /// <summary>The time for a socket to become ready. Proxies may open a socket without forwarding data.</summary>
    internal TimeSpan SocketTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The maximum delay between polls of the pages where sockets are blocked.</summary>
    internal TimeSpan PageDelay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long pages are polled before another socket is tried.</summary>
    internal TimeSpan SocketRetry { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>The time for which a socket must be ready to reset the retry count, even without retry delays.</summary>
    internal TimeSpan LeastLasting { get; init; } = TimeSpan.FromMilliseconds(100);
}
