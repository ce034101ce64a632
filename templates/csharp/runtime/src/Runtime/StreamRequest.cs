namespace Svc.Runtime;

/// <summary>The request of a stream and the types of its response.</summary>
/// <param name="Operation">The name in traces and metrics.</param>
/// <param name="Path">The path relative to the base URL.</param>
/// <param name="Output">Decodes the messages.</param>
/// <param name="Failure">Returns the exception for an error in the last frame.</param>
internal sealed record StreamRequest<T>(
    string Operation,
    string Path,
    Codec<T> Output,
    Func<string, ApiResponse, SvcException> Failure)
{
    /// <summary>Returns the body of an attempt. A request without one reads the path.</summary>
    internal Func<LogicalCall, HttpContent>? ContentOf { get; init; }

    /// <summary>The streamed input, if any. Such a request is not retried.</summary>
    internal InputLines? Inputs { get; init; }

    /// <summary>Whether the stream is stored, so that it can be resumed after a lost connection.</summary>
    internal bool IsStored { get; init; }

    /// <summary>The id of the event to read a stored stream after; null for the beginning.</summary>
    internal string? After { get; init; }
}
