namespace Svc.Runtime;

/// <summary>The paths and ids of split streams.</summary>
internal static class SplitStream
{
    internal const string NodesPath = "/invocations/v1/nodes/";

    internal const string Path = NodesPath + "streams";

    /// <summary>Validates a stream id of the caller and returns it.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal static string Check(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        return Fits(id) ? id : throw new ArgumentException("the id of a stream must be of letters, digits, - and _", nameof(id));
    }

    /// <summary>Validates an event id.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal static void CheckEvent(string? after)
    {
        if (after is not null && (after.Length == 0 || after.AsSpan().IndexOfAnyExceptInRange('!', '~') >= 0))
        {
            throw new ArgumentException("the id of an event must contain only visible ASCII characters", nameof(after));
        }
    }

    /// <summary>Returns the id of the stream in a response.</summary>
    internal static string IdIn(ApiResponse response)
    {
        var id = Responses.RequiredText(Responses.ObjectOf(response), "stream_id", response);
        return Fits(id) ? id : throw Responses.Invalid(response, "stream_id is malformed");
    }

    private static bool Fits(string id) =>
        id.Length > 0 && id.All(each => char.IsAsciiLetterOrDigit(each) || each is '-' or '_');
}
