using System.Text;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A frame of a stream: a message, the end, or both.</summary>
internal sealed record Frame
{
    /// <summary>The JSON of the message, if there is one.</summary>
    internal ReadOnlyMemory<byte>? Payload { get; private set; }

    /// <summary>Whether it is the last frame. The properties below apply only to the last frame.</summary>
    internal bool IsFinal { get; private set; }

    internal bool IsSuccess { get; private set; }

    internal string? Error { get; private set; }

    /// <summary>The number of messages that the service received, as JSON.</summary>
    internal string InputFrames { get; private set; } = "";

    internal string Index { get; private set; } = "";

    internal string? ExecutionId { get; private set; }

    /// <summary>Decodes a frame.</summary>
    /// <param name="response">The response with the frame as its body.</param>
    internal static Frame Read(ApiResponse response)
    {
        try
        {
            return Read(response.Utf8);
        }
        catch (Exception problem) when (problem is JsonException or InvalidOperationException)
        {
            throw Responses.Invalid(response, "not a JSON object", problem);
        }
    }

    /// <summary>Decodes the message. Every frame but the last has one.</summary>
    /// <param name="codec">Decodes it.</param>
    /// <param name="response">The response with the frame as its body.</param>
    internal T MessageOf<T>(Codec<T> codec, ApiResponse response) => Payload is { } payload
        ? Responses.Read(codec, payload, response)
        : throw Responses.Invalid(response, $"frame {Index} has no payload");

    /// <summary>Returns the reason of a failed stream, for an exception.</summary>
    /// <param name="response">The response with the frame as its body.</param>
    internal string ReasonOf(ApiResponse response) =>
        $"{Error ?? "no error message"}{response.Origin()}";

    private static Frame Read(ReadOnlyMemory<byte> utf8)
    {
        var frame = new Frame();
        var reader = new Utf8JsonReader(utf8.Span, JsonText.ReaderOptions);
        reader.Read();
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("a frame is an object");
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString();
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            var type = reader.TokenType;
            var text = type == JsonTokenType.String && name != "payload" ? reader.GetString() : null;
            reader.Skip();
            frame.Take(name, type, text, utf8[start..(int)reader.BytesConsumed]);
        }

        // The reader rejects trailing content.
        reader.Read();
        return frame;
    }

    private void Take(string? name, JsonTokenType type, string? text, ReadOnlyMemory<byte> json)
    {
        switch (name)
        {
            case "payload":
                Payload = json;
                break;
            case "is_final":
                IsFinal = type == JsonTokenType.True;
                break;
            case "success":
                IsSuccess = type == JsonTokenType.True;
                break;
            case "error":
                Error = text is { Length: > 0 } ? text : null;
                break;
            case "input_frames":
                InputFrames = Encoding.UTF8.GetString(json.Span);
                break;
            case "frame_index":
                Index = Encoding.UTF8.GetString(json.Span);
                break;
            case "execution_id":
                ExecutionId = text is { Length: > 0 } ? text : null;
                break;
            default:
                break;
        }
    }
}
