using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A complete upload to a split stream.</summary>
public sealed class SplitUpload
{
    internal SplitUpload(string? executionId, long inputFrames)
    {
        ExecutionId = executionId;
        InputFrames = inputFrames;
    }

    /// <summary>The id of the execution, if the service sent it.</summary>
    public string? ExecutionId { get; }

    /// <summary>The number of messages that the node received; all that were sent.</summary>
    public long InputFrames { get; }

    /// <summary>Shows the number of messages.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"uploaded messages: {InputFrames}";

    /// <summary>Reads the response to an upload.</summary>
    /// <param name="response">The response.</param>
    /// <param name="inputs">The messages.</param>
    internal static SplitUpload Read(ApiResponse response, InputLines inputs)
    {
        var fields = Responses.ObjectOf(response);
        var received = Responses.Find(fields, "input_frames") is { ValueKind: JsonValueKind.Number } found
            ? found.GetRawText()
            : "";
        return new SplitUpload(response.ExecutionId, inputs.CheckArrival(received, response));
    }
}
