using System.Text.Json;

namespace Svc.Runtime;

/// <summary>The limits of a live session. Null means that the service did not send the limit.</summary>
public sealed record LiveSessionLimits
{
    /// <summary>The maximum size of a message to the node, as JSON.</summary>
    public long? MaxInputMessageBytes { get; init; }

    /// <summary>The maximum total size of the messages to the node, as JSON.</summary>
    public long? MaxInputBytes { get; init; }

    /// <summary>The maximum number of messages to the node.</summary>
    public long? MaxInputMessages { get; init; }

    /// <summary>The maximum total size of the messages of the node, as JSON.</summary>
    public long? MaxOutputBytes { get; init; }

    /// <summary>The maximum duration of the session.</summary>
    public TimeSpan? MaxDuration { get; init; }

    /// <summary>The time allowed to receive each message of the node.</summary>
    public TimeSpan? StallTimeout { get; init; }

    /// <summary>Reads the limits in the first message of a session. Values that are not numbers are ignored.</summary>
    internal static LiveSessionLimits Read(JsonElement ready)
    {
        var limits = Responses.Find(ready, "limits") ?? default;
        return new LiveSessionLimits
        {
            MaxInputMessageBytes = NumberOf(limits, "input_frame_bytes"),
            MaxInputBytes = NumberOf(limits, "input_bytes"),
            MaxInputMessages = NumberOf(limits, "input_frames"),
            MaxOutputBytes = NumberOf(limits, "output_bytes"),
            MaxDuration = TimeOf(limits, "session_seconds"),
            StallTimeout = TimeOf(limits, "stall_seconds"),
        };
    }

    private static long? NumberOf(JsonElement limits, string name) =>
        Responses.Find(limits, name) is { ValueKind: JsonValueKind.Number } found && found.TryGetInt64(out var number) ? number : null;

    private static TimeSpan? TimeOf(JsonElement limits, string name) =>
        NumberOf(limits, name) is >= 0 and <= int.MaxValue and var seconds ? TimeSpan.FromSeconds(seconds) : null;
}
