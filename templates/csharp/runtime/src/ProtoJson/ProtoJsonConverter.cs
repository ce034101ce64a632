using System.Text.Json;
using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>
/// Lets <see cref="JsonSerializer"/> write a type as ProtoJSON and read it back, also within types of other packages. The
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

    private static JsonException Refuse(ValueProblem problem)
    {
        var refusal = T.Codec.Refuse(problem);
        return new JsonException(refusal.Message, refusal);
    }
}
