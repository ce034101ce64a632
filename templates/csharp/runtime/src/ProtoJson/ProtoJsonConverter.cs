using System.Text.Json;
using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>
/// Lets <see cref="JsonSerializer"/> write a type as ProtoJSON and read it back, even within types of other packages. The
/// types of this package have it as an attribute.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
public sealed class ProtoJsonConverter<T> : JsonConverter<T>
    where T : IProtoJson<T>
{
    /// <inheritdoc/>
    public override bool HandleNull => T.Codec.ReadsNull;

    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        try
        {
            return T.Codec.Read(ref reader);
        }
        catch (ValueProblem problem)
        {
            throw Refuse(problem);
        }
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        try
        {
            T.Codec.Write(writer, value);
        }
        catch (ValueProblem problem)
        {
            throw Refuse(problem);
        }
    }

    /// <inheritdoc/>
    public override T ReadAsPropertyName(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        try
        {
            return T.Codec.Parse($"\"{JsonEncodedText.Encode(JsonText.TextOf(ref reader))}\"");
        }
        catch (ValueProblem problem)
        {
            throw Refuse(problem);
        }
        catch (ValueException refusal)
        {
            throw Refuse(refusal);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">The ProtoJSON of the type is neither a string nor a number.</exception>
    public override void WriteAsPropertyName(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        try
        {
            using var json = JsonDocument.Parse(T.Codec.Write(value));
            if (json.RootElement.ValueKind is JsonValueKind.String or JsonValueKind.Number)
            {
                writer.WritePropertyName(json.RootElement.ToString());
            }
            else
            {
                base.WriteAsPropertyName(writer, value, options);
            }
        }
        catch (ValueException refusal)
        {
            throw Refuse(refusal);
        }
    }

    private static JsonException Refuse(ValueProblem problem) => Refuse(T.Codec.Refuse(problem));

    private static JsonException Refuse(ValueException refusal) => new(refusal.Message, refusal);
}
