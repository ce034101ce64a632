namespace Svc.Runtime;

/// <summary>The times of followed runs.</summary>
internal sealed record FollowTimes
{
    /// <summary>How long a socket may take to become ready. Proxies may open one and pass nothing on.</summary>
    internal TimeSpan SocketTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The longest delay between pages where sockets are blocked.</summary>
    internal TimeSpan PageDelay { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long sockets are taken for blocked, until another one is tried.</summary>
    internal TimeSpan SocketRetry { get; init; } = TimeSpan.FromMinutes(1);
}
