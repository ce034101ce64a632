namespace Svc.Runtime;

/// <summary>What a <see cref="LogEvent"/> tells of.</summary>
public enum LogEventKind
{
    /// <summary>A request is sent.</summary>
    Request,

    /// <summary>An answer came, whatever its status.</summary>
    Answer,

    /// <summary>The request failed and will be sent again.</summary>
    Retry,

    /// <summary>The request failed for good.</summary>
    Failure,
}

/// <summary>Something that happened while a call was made. Nothing of it holds the API key.</summary>
public sealed record LogEvent
{
    internal LogEvent()
    {
    }

    /// <summary>What happened.</summary>
    public required LogEventKind Kind { get; init; }

    /// <summary>The HTTP method.</summary>
    public required string Method { get; init; }

    /// <summary>The path beneath the address of the service.</summary>
    public required string Path { get; init; }

    /// <summary>How often the request has been sent, from 1.</summary>
    public required int Attempt { get; init; }

    /// <summary>The key that every attempt carries.</summary>
    public required string IdempotencyKey { get; init; }

    /// <summary>The status of an answer.</summary>
    public int? Status { get; init; }

    /// <summary>The id under which the service recorded the execution.</summary>
    public string? ExecutionId { get; init; }

    /// <summary>How long the answer took.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>How long is waited before a retry.</summary>
    public TimeSpan? Delay { get; init; }

    /// <summary>Why the request failed.</summary>
    public string? Reason { get; init; }
}
