using System.Text.Json;
using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>A message without fields: <c>google.protobuf.Empty</c>.</summary>
[JsonConverter(typeof(ProtoJsonConverter<Empty>))]
public sealed record Empty : IProtoJson<Empty>
{
    static Codec<Empty> IProtoJson<Empty>.Codec => ProtoJson.Empty;
}

/// <summary>The type of JSON null: <c>google.protobuf.NullValue</c>.</summary>
[JsonConverter(typeof(ProtoJsonConverter<NullValue>))]
public readonly record struct NullValue : IProtoJson<NullValue>
{
    static Codec<NullValue> IProtoJson<NullValue>.Codec => ProtoJson.NullValue;
}

internal sealed class EmptyCodec() : Codec<Empty>("Empty")
{
    internal override Empty Read(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw ValueProblem.Expected("an object", reader.TokenType);
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            JsonText.RefuseUnknown(ref reader);
            reader.Read();
            // The reader cannot skip while JsonSerializer reads a stream.
            reader.TrySkip();
        }

        return new Empty();
    }

    internal override void Write(Utf8JsonWriter writer, Empty value)
    {
        writer.WriteStartObject();
        writer.WriteEndObject();
    }
}

internal sealed class NullCodec() : Codec<NullValue>("NullValue")
{
    internal override bool ReadsNull => true;

    internal override NullValue Read(ref Utf8JsonReader reader)
    {
        var isNull = reader.TokenType switch
        {
            JsonTokenType.Null => true,
            JsonTokenType.String => JsonText.IsText(ref reader, "NULL_VALUE"u8),
            JsonTokenType.Number => reader.TryGetInt32(out var number) && number == 0,
            _ => false,
        };
        return isNull ? default(NullValue) : throw ValueProblem.Expected("null", reader.TokenType);
    }

    internal override void Write(Utf8JsonWriter writer, NullValue value) => writer.WriteNullValue();

    internal override bool IsDefault(NullValue value) => true;
}
