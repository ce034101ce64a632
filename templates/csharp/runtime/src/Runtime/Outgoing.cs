namespace Svc.Runtime;

/// <summary>A request, sent by every attempt.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The path relative to the base URL.</param>
/// <param name="Content">Returns the body of an attempt, if there is one.</param>
internal sealed record Outgoing(HttpMethod Method, string Path, Func<HttpContent>? Content = null)
{
    /// <summary>Whether the request starts a run, which the response names in its body.</summary>
    internal bool IsRun { get; init; }

    /// <summary>What a stream is read from, if the response should be one.</summary>
    internal OpenStream? Stream { get; init; }

    /// <summary>The id of the event behind which a stream begins; null from the beginning.</summary>
    internal string? LastEventId { get; init; }

    /// <summary>The WebSocket that the request opens, if it should.</summary>
    internal OpenSocket? Socket { get; init; }

    /// <summary>Reports whether a failure may mean that an earlier attempt succeeded. The caller finds out, and logs it if not.</summary>
    internal Func<SvcException, bool> MayBeSuccess { get; init; } = _ => false;
}
