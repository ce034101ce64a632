namespace Svc.Runtime;

/// <summary>The client or the call is set up wrongly; nothing was sent.</summary>
public sealed class ConfigurationException : SvcException
{
    internal ConfigurationException(string message)
        : base(message)
    {
    }
}

/// <summary>A value does not fit its message, or a text is not ProtoJSON of it; nothing was sent.</summary>
public sealed class ValueException : SvcException
{
    internal ValueException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The call did not end within its time.</summary>
public class CallTimeoutException : SvcException
{
    internal CallTimeoutException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>A run has not ended within the time of the wait for it; it runs on.</summary>
public sealed class WaitTimeoutException : CallTimeoutException
{
    internal WaitTimeoutException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The service could not be reached, or the connection was lost.</summary>
public class ConnectionException : SvcException
{
    internal ConnectionException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>The connection was lost after the answer began, before its end.</summary>
public sealed class InterruptedAnswerException : ConnectionException
{
    internal InterruptedAnswerException(string message, Exception? cause = null)
        : base(message, cause)
    {
    }
}

/// <summary>A successful answer that is not JSON, or not what it should be.</summary>
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

/// <summary>The run of a flow waits for a decision.</summary>
public sealed class FlowPausedException : SvcException
{
    internal FlowPausedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }

    /// <summary>The id of the pause, when the service gave one.</summary>
    public string? PauseId { get; internal init; }
}
