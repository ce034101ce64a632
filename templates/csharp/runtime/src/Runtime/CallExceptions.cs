namespace Svc.Runtime;

/// <summary>A client or call option is missing or malformed. No request was sent.</summary>
public sealed class ConfigurationException : SvcException
{
    internal ConfigurationException(string message)
        : base(message)
    {
    }
}

/// <summary>
/// A message or decision is invalid: it cannot be encoded as, or decoded from, ProtoJSON. An invalid message is not sent, and neither
/// is its request, unless the input is streamed. In that case, the messages before it may have been sent.
/// </summary>
public sealed class ValueException : SvcException
{
    internal ValueException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>
/// The call, or its last attempt, did not complete within its timeout. If an earlier attempt failed, the message gives the reason, and
/// the <see cref="Exception.InnerException"/> is its exception.
/// </summary>
public class CallTimeoutException : SvcException
{
    internal CallTimeoutException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    /// <summary>Whether a single attempt timed out and there is time left for another.</summary>
    internal bool IsOfAttempt { get; init; }
}

/// <summary>
/// The run of a flow did not end in time. It continues, unless it could not be read. In that case, it may have ended, and the
/// <see cref="Exception.InnerException"/> is the failure of the latest request.
/// </summary>
public sealed class WaitTimeoutException : CallTimeoutException
{
    /// <summary>Creates the exception for a wait that timed out.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="timeout">The timeout of the call.</param>
    /// <param name="latestFailure">The failure of the latest poll, if it failed.</param>
    internal WaitTimeoutException(string executionId, CallTimeoutException? timeout = null, SvcException? latestFailure = null)
        : base($"execution {executionId} did not end in time; {StateAfter(latestFailure)}", latestFailure ?? timeout)
    {
        ExecutionId = executionId;
    }

    /// <summary>The id of the execution.</summary>
    public override string ExecutionId => base.ExecutionId!;

    private static string StateAfter(SvcException? latestFailure) => latestFailure is null
        ? "it continues to run"
        : $"it may still be running; reading it failed: {latestFailure.Message}";
}

/// <summary>The service is unreachable, or the connection was lost.</summary>
public class ConnectionException : SvcException
{
    internal ConnectionException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    private protected ConnectionException(string message, ApiResponse response, Exception? cause)
        : base(message, response, cause)
    {
    }

    /// <summary>Whether a handler of the caller's HTTP client threw the cause, and thereby failed the call.</summary>
    internal bool IsOfHandler { get; init; }
}

/// <summary>The connection was lost while reading the response.</summary>
public class InterruptedResponseException : ConnectionException
{
    internal InterruptedResponseException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    internal InterruptedResponseException(string message, ApiResponse response, Exception? cause)
        : base($"{message}{response.Origin()}", response, cause)
    {
    }
}

/// <summary>
/// A stream was interrupted before its end, or the service did not receive all messages of a streamed input. Messages of the
/// stream that were received before are valid.
/// </summary>
public sealed class StreamInterruptedException : InterruptedResponseException
{
    internal StreamInterruptedException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }

    internal StreamInterruptedException(string message, ApiResponse response, Exception? cause = null)
        : base(message, response, cause)
    {
    }
}

/// <summary>
/// The idempotency key was already used for a different request, of another flow or with another input. No run was started; the
/// <see cref="SvcException.ExecutionId"/> is the run of the earlier request.
/// </summary>
public sealed class IdempotencyMismatchException : SvcException
{
    internal IdempotencyMismatchException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>A successful response is not valid JSON for the return type.</summary>
public sealed class InvalidResponseException : SvcException
{
    internal InvalidResponseException(string message, ApiResponse? response, Exception? cause = null)
        : base(message, response, cause)
    {
    }
}

/// <summary>The run of a flow failed or was cancelled.</summary>
public sealed class FlowFailedException : SvcException
{
    internal FlowFailedException(
        string message,
        ApiResponse? response = null,
        ExecutionStatus? status = null,
        string? failedNodeName = null)
        : base(message, response)
    {
        ErrorCode = "flow_failed";
        ExecutionStatus = status;
        FailedNodeName = failedNodeName;
    }

    /// <summary>
    /// The status of the run, such as <c>ExecutionStatus.Cancelled</c>; null if the service did not send it. The record of the run
    /// always has it.
    /// </summary>
    public ExecutionStatus? ExecutionStatus { get; }

    /// <summary>
    /// The placement in the flow at which the run failed; null if it failed at none, or if the service did not send it. The record of
    /// the run also has it.
    /// </summary>
    public string? FailedNodeName { get; }
}

/// <summary>The run of a flow is waiting for a decision. It continues when it is resumed.</summary>
public sealed class FlowPausedException : SvcException
{
    internal FlowPausedException(string executionId, string pauseId, ApiResponse? response = null)
        : base($"execution {executionId} is paused and waits for a decision", response)
    {
        ErrorCode = "flow_paused";
        ExecutionId = executionId;
        PauseId = pauseId;
    }

    /// <summary>The id of the paused execution.</summary>
    public override string ExecutionId => base.ExecutionId!;

    /// <summary>The id of the pause.</summary>
    public string PauseId { get; }
}
