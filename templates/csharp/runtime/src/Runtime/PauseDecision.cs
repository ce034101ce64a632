using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Svc.Runtime;

/// <summary>A decision on a pause, or an input of a fork. It becomes the next input of the node.</summary>
public sealed class PauseDecision
{
    private readonly Action<Utf8JsonWriter>? _write;

    private PauseDecision(Action<Utf8JsonWriter>? write) => _write = write;

    private bool IsBytes { get; init; }

    /// <summary>Decides with the default of every field. A node may treat the defaults as an explicit decision.</summary>
    public static PauseDecision Default { get; } = new(null);

    /// <summary>Decides with a message of this package.</summary>
    /// <typeparam name="T">The type of the message.</typeparam>
    /// <param name="message">The message.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="ValueException">The message is invalid, or its JSON is not an object.</exception>
    public static PauseDecision FromMessage<T>(T message)
        where T : IProtoJson<T>
    {
        ArgumentNullException.ThrowIfNull(message);
        return FromJson(T.Codec.Format(message));
    }

    /// <summary>Decides with a JSON object, which has the fields of the message.</summary>
    /// <param name="json">The object.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="ValueException">The object has a value that JSON cannot represent, such as <see cref="double.NaN"/>.</exception>
    public static PauseDecision FromJson(JsonObject json)
    {
        ArgumentNullException.ThrowIfNull(json);
        return FromJson(ProtoJson.Struct.Format(json));
    }

    /// <summary>Decides with the text of a JSON object, which has the fields of the message.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="ValueException">The text is not a JSON object.</exception>
    public static PauseDecision FromJson(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        try
        {
            using var document = JsonDocument.Parse(JsonText.Check(json), new() { MaxDepth = JsonText.MaxDepth });
            if (document.RootElement.ValueKind != JsonValueKind.Object)
            {
                throw new ValueException("the decision or input must be a JSON object");
            }
        }
        catch (Exception problem) when (problem is JsonException or ValueProblem)
        {
            throw new ValueException($"the decision or input is not JSON: {problem.Message}", problem);
        }

        return new(writer => writer.WriteRawValue(json, skipInputValidation: true));
    }

    /// <summary>Decides with a serialized message. It is not validated before the run continues; an invalid one can fail the run.</summary>
    /// <param name="message">The bytes.</param>
    /// <returns>The decision.</returns>
    public static PauseDecision FromBytes(ReadOnlyMemory<byte> message) =>
        new(writer => writer.WriteBase64StringValue(message.Span)) { IsBytes = true };

    /// <summary>Returns the body of the request that forks a run.</summary>
    internal static ReadOnlyMemory<byte> ForkBody(ForkOptions? fork) => ObjectOf(writer =>
    {
        if (fork?.CheckpointId is { } checkpointId)
        {
            writer.WriteString("checkpoint_id", checkpointId);
        }

        fork?.Input?.WriteValue(writer, fork.Input.IsBytes ? "payload" : "input");
    });

    /// <summary>Returns the body of the request that resumes a pause.</summary>
    internal ReadOnlyMemory<byte> BodyOf(string pauseId, string? resumedBy) => ObjectOf(writer =>
    {
        writer.WriteString("pause_id", pauseId);
        WriteValue(writer, "value");
        if (resumedBy is not null)
        {
            writer.WriteString("resumed_by", resumedBy);
        }
    });

    private static ReadOnlyMemory<byte> ObjectOf(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>(128);
        using var writer = new Utf8JsonWriter(buffer);
        writer.WriteStartObject();
        write(writer);
        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    private void WriteValue(Utf8JsonWriter writer, string name)
    {
        if (_write is not null)
        {
            writer.WritePropertyName(name);
            _write(writer);
        }
    }
}
