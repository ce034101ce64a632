namespace Svc.Runtime;

/// <summary>The request of a stream, and the types of its response.</summary>
/// <param name="Operation">The name in traces and metrics.</param>
/// <param name="Path">The path relative to the base URL.</param>
/// <param name="ContentOf">Returns the body of an attempt.</param>
/// <param name="Output">Decodes the messages.</param>
/// <param name="Failure">Returns the exception for an error in the last frame.</param>
internal sealed record StreamRequest<T>(
    string Operation,
    string Path,
    Func<LogicalCall, HttpContent> ContentOf,
    Codec<T> Output,
    Func<string, ApiResponse, SvcException> Failure)
{
    /// <summary>The streamed input, if there is one. Such a request is sent once.</summary>
    internal InputLines? Inputs { get; init; }
}
