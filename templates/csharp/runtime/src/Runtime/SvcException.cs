namespace Svc.Runtime;

/// <summary>
/// Every failure of a call, except that its caller cancelled it: that is an <see cref="OperationCanceledException"/>. Nothing
/// of it ever holds the API key.
/// </summary>
public abstract class SvcException : Exception
{
    private protected SvcException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    private protected SvcException(string message, ApiResponse? answer, Exception? cause = null)
        : base(message, cause)
    {
        Status = answer?.Status;
        Headers = answer?.Headers;
        Body = answer?.Body;
        ExecutionId = answer?.ExecutionId;
    }

    /// <summary>The HTTP status of the answer, when there was one.</summary>
    public int? Status { get; internal set; }

    /// <summary>The service's own stable class of the error, such as <c>quota_exceeded</c>, when it gave one.</summary>
    public string? ErrorCode { get; internal set; }

    /// <summary>The headers of the answer, when there was one.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; internal set; }

    /// <summary>The body of the answer, when there was one.</summary>
    public string? Body { get; internal set; }

    /// <summary>
    /// The id of the execution that the call made, when known. A run that is paused or was not waited for is found again by it.
    /// </summary>
    public string? ExecutionId { get; internal set; }

    /// <summary>How long the service asks to wait before another attempt, when it does.</summary>
    public TimeSpan? RetryAfter { get; internal set; }
}
