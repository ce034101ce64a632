namespace Svc.Runtime;

/// <summary>A request, sent by every attempt.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The path relative to the base URL.</param>
/// <param name="Content">Returns the body of an attempt, if there is one.</param>
internal sealed record Outgoing(HttpMethod Method, string Path, Func<HttpContent>? Content = null)
{
    /// <summary>Whether the request starts a run, whose id is in the response body.</summary>
    internal bool IsRun { get; init; }

    /// <summary>Reads the response if it should be a stream.</summary>
    internal OpenStream? Stream { get; init; }

    /// <summary>The id of the event to start a stream after; null for the beginning.</summary>
    internal string? LastEventId { get; init; }

    /// <summary>The WebSocket that the request opens, if any.</summary>
    internal OpenSocket? Socket { get; init; }

    /// <summary>Reports whether a failure may mean that an earlier attempt succeeded. If not, the caller logs the failure.</summary>
    internal Func<SvcException, bool> MayBeSuccess { get; init; } = _ => false;
}
