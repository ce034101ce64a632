namespace Svc.Runtime;

/// <summary>The type of a <see cref="LogEvent"/>.</summary>
public enum LogEventKind
{
    /// <summary>A request is about to be sent.</summary>
    Request,

    /// <summary>A response was received.</summary>
    Response,

    /// <summary>The request failed and will be retried.</summary>
    Retry,

    /// <summary>
    /// The request failed, its response is invalid, or the run of a flow failed or did not end in time. A paused run is not a failure.
    /// </summary>
    Failure,

    /// <summary>The request failed and is not retried, because the retry budget is empty. A failure follows.</summary>
    BudgetEmpty,
}

/// <summary>An event of a call. Never contains the API key, unless that is a placeholder of fewer than 16 characters.</summary>
public sealed record LogEvent
{
    internal LogEvent()
    {
    }

    /// <summary>The type of the event.</summary>
    public required LogEventKind Kind { get; init; }

    /// <summary>The HTTP method.</summary>
    public required string Method { get; init; }

    /// <summary>The path relative to the base URL.</summary>
    public required string Path { get; init; }

    /// <summary>The number of the attempt, starting at 1.</summary>
    public required int Attempt { get; init; }

    /// <summary>The key sent with every attempt.</summary>
    public required string IdempotencyKey { get; init; }

    /// <summary>The status code of a response.</summary>
    public int? Status { get; init; }

    /// <summary>The id of the execution that the call created or reads, once known.</summary>
    public string? ExecutionId { get; init; }

    /// <summary>The time until the response.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>The delay before a retry.</summary>
    public TimeSpan? Delay { get; init; }

    /// <summary>The reason of a failure.</summary>
    public string? Reason { get; init; }

    /// <summary>The exception of a failure.</summary>
    public Exception? Exception { get; init; }

    /// <summary>Shows the event on one line.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        string?[] details =
        [
            $"attempt {Attempt}",
            Reason is null && Status is not null ? $"HTTP {Status}" : null,
            Reason is null && ExecutionId is not null ? $"execution {ExecutionId}" : null,
            $"key {IdempotencyKey}",
            Duration is { } duration ? $"after {duration}" : null,
            Delay is { } delay ? $"again in {delay}" : null,
        ];
        var text = $"{Kind} {Method} {Path} ({string.Join(", ", details.Where(detail => detail is not null))})";
        return Reason is null ? text : $"{text}: {Reason}";
    }
}
