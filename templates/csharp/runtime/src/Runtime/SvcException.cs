namespace Svc.Runtime;

/// <summary>
/// Base class of all exceptions of this SDK, except <see cref="OperationCanceledException"/> for calls cancelled by the
/// caller. Never contains the API key, unless that is a placeholder of fewer than 16 characters.
/// </summary>
public abstract class SvcException : Exception
{
    private protected SvcException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    private protected SvcException(string message, ApiResponse? response, Exception? cause = null)
        : base(response?.Redact(message) ?? message, response?.Redact(cause) ?? cause)
    {
        Status = response?.Status;
        Headers = response?.RedactedHeaders();
        Body = response?.Redact(response.Body);
        ExecutionId = response?.ExecutionId;
        RequestId = response?.RequestId;
        Attempts = response?.Attempts ?? 0;
        IdempotencyKey = response?.IdempotencyKey;
    }

    /// <summary>
    /// The message. It contains the execution id, if known, and mentions a retry that was skipped because the retry budget was empty.
    /// </summary>
    public override string Message
    {
        get
        {
            var isNamed = ExecutionId is null || base.Message.Contains(ExecutionId, StringComparison.Ordinal);
            var text = isNamed ? base.Message : $"{base.Message} (execution {ExecutionId})";
            return IsBudgetEmpty ? $"{text}; not tried again: the retry budget is empty" : text;
        }
    }

    /// <summary>The HTTP status code, if there was a response.</summary>
    public int? Status { get; internal set; }

    /// <summary>The error code of the service, such as <c>pause_not_waiting</c>, if present. Use it to distinguish errors.</summary>
    public string? ErrorCode { get; internal set; }

    /// <summary>The response headers, if there was a response.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; internal set; }

    /// <summary>The received part of the response body, if there was a response.</summary>
    public string? Body { get; internal set; }

    /// <summary>
    /// The id of the execution that the call created, if known. Use it to resume a paused run or to wait again.
    /// </summary>
    public virtual string? ExecutionId { get; internal set; }

    /// <summary>The id of the request in the logs of the service, if there was a response with it.</summary>
    public string? RequestId { get; internal set; }

    /// <summary>The number of attempts, including the first; 0 if no request was sent.</summary>
    public int Attempts { get; internal set; }

    /// <summary>The key sent with every attempt, if any. Pass it to repeat the call without a second run.</summary>
    public string? IdempotencyKey { get; internal set; }

    /// <summary>The time to wait before the next attempt, if the service sent it.</summary>
    public TimeSpan? RetryAfter { get; internal set; }

    /// <summary>Whether an empty retry budget prevented a retry.</summary>
    internal bool IsBudgetEmpty { get; set; }
}
