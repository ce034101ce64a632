using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Svc.Runtime;

/// <summary>A decision on a pause. It becomes the next input of the node that asked.</summary>
public sealed class PauseDecision
{
    private readonly Action<Utf8JsonWriter>? _write;

    private PauseDecision(Action<Utf8JsonWriter>? write) => _write = write;

    /// <summary>Decides with the default of every field.</summary>
    public static PauseDecision Default { get; } = new(null);

    /// <summary>Decides with a message of this package.</summary>
    /// <typeparam name="T">The type of the message.</typeparam>
    /// <param name="message">The message.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="ValueException">The message is invalid, or its JSON is no object.</exception>
    public static PauseDecision FromMessage<T>(T message)
        where T : IProtoJson<T>
    {
        ArgumentNullException.ThrowIfNull(message);
        return FromJson(T.Codec.Format(message));
    }

    /// <summary>Decides with a JSON object, which has the fields of the message.</summary>
    /// <param name="json">The object.</param>
    /// <returns>The decision.</returns>
    public static PauseDecision FromJson(JsonObject json)
    {
        ArgumentNullException.ThrowIfNull(json);
        return FromJson(json.ToJsonString());
    }

    /// <summary>Decides with the text of a JSON object, which has the fields of the message.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="ValueException">The text is no JSON object.</exception>
    public static PauseDecision FromJson(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        try
        {
            using var document = JsonDocument.Parse(JsonText.Check(json), new() { MaxDepth = JsonText.MaxDepth });
            if (document.RootElement.ValueKind != JsonValueKind.Object)
            {
                throw new ValueException("the decision must be a JSON object");
            }
        }
        catch (Exception problem) when (problem is JsonException or ValueProblem)
        {
            throw new ValueException($"the decision is not JSON: {problem.Message}", problem);
        }

        return new(writer => writer.WriteRawValue(json, skipInputValidation: true));
    }

    /// <summary>Decides with a serialized message.</summary>
    /// <param name="message">The bytes.</param>
    /// <returns>The decision.</returns>
    public static PauseDecision FromBytes(ReadOnlyMemory<byte> message) =>
        new(writer => writer.WriteBase64StringValue(message.Span));

    /// <summary>Returns the body of the request.</summary>
    internal ReadOnlyMemory<byte> BodyOf(string pauseId, string? resumedBy)
    {
        if (pauseId.Length == 0)
        {
            throw new ValueException("the id of the pause is empty");
        }

        var buffer = new ArrayBufferWriter<byte>(128);
        using var writer = new Utf8JsonWriter(buffer);
        writer.WriteStartObject();
        WriteText(writer, "pause_id", pauseId);
        if (_write is not null)
        {
            writer.WritePropertyName("value");
            _write(writer);
        }

        if (resumedBy is not null)
        {
            WriteText(writer, "resumed_by", resumedBy);
        }

        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    private static void WriteText(Utf8JsonWriter writer, string name, string text)
    {
        try
        {
            writer.WriteString(name, JsonText.Check(text));
        }
        catch (ValueProblem problem)
        {
            throw new ValueException($"{name}: {problem.Message}", problem);
        }
    }
}
