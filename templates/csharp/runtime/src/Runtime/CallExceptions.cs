namespace Svc.Runtime;

/// <summary>A client or call option is missing or malformed. No request was sent.</summary>
public sealed class ConfigurationException : SvcException
{
    internal ConfigurationException(string message)
        : base(message)
    {
    }
}

/// <summary>A message cannot be encoded as, or decoded from, ProtoJSON. No request was sent.</summary>
public sealed class ValueException : SvcException
{
    internal ValueException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The call, including retries, did not complete within its timeout.</summary>
public class CallTimeoutException : SvcException
{
    internal CallTimeoutException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The run of a flow did not end in time. It continues.</summary>
public sealed class WaitTimeoutException : CallTimeoutException
{
    internal WaitTimeoutException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The service is unreachable, or the connection was lost.</summary>
public class ConnectionException : SvcException
{
    internal ConnectionException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The connection was lost while reading the response.</summary>
public sealed class InterruptedAnswerException : ConnectionException
{
    internal InterruptedAnswerException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>A successful response is not valid JSON for the return type.</summary>
public sealed class InvalidAnswerException : SvcException
{
    internal InvalidAnswerException(string message, ApiResponse? answer, Exception? cause = null)
        : base(message, answer, cause)
    {
    }
}

/// <summary>The run of a flow failed or was cancelled.</summary>
public sealed class FlowFailedException : SvcException
{
    internal FlowFailedException(string message, ApiResponse? answer = null)
        : base(message, answer)
    {
    }
}

/// <summary>The run of a flow is paused.</summary>
public sealed class FlowPausedException : SvcException
{
    internal FlowPausedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }

    /// <summary>The id of the pause, if the service sent it.</summary>
    public string? PauseId { get; internal init; }
}
