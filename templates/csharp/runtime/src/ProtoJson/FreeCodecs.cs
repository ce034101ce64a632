using System.Text.Json;
using System.Text.Json.Nodes;

namespace Svc.Runtime;

/// <summary>The codecs of arbitrary JSON.</summary>
internal static class FreeJson
{
    internal static JsonNode? Read(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.Null => null,
        JsonTokenType.True => JsonValue.Create(true),
        JsonTokenType.False => JsonValue.Create(false),
        JsonTokenType.Number => ReadNumber(ref reader),
        JsonTokenType.String => JsonValue.Create(JsonText.TextOf(ref reader)),
        JsonTokenType.StartArray => ReadArray(ref reader),
        _ => ReadObject(ref reader),
    };

    internal static JsonObject ReadObject(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw ValueProblem.Expected("an object", reader.TokenType);
        }

        var result = new JsonObject();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = JsonText.TextOf(ref reader);
            reader.Read();
            var item = Read(ref reader);
            if (result.ContainsKey(name))
            {
                throw new ValueProblem("given more than once", name);
            }

            result[name] = item;
        }

        return result;
    }

    internal static JsonArray ReadArray(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw ValueProblem.Expected("a list", reader.TokenType);
        }

        var result = new JsonArray();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            result.Add(Read(ref reader));
        }

        return result;
    }

    internal static void Write(Utf8JsonWriter writer, JsonNode? node)
    {
        try
        {
            WriteNode(writer, node);
        }
        catch (Exception problem) when (problem is ArgumentException or InvalidOperationException or NotSupportedException
            && writer.CurrentDepth < JsonText.MaxDepth)
        {
            // .NET detects invalid content of a parsed object, or of a value created from a .NET object, on first access.
            throw new ValueProblem($"not JSON: {problem.Message}");
        }
    }

    /// <summary>Integers of up to 64 bits are exact.</summary>
    private static JsonValue ReadNumber(ref Utf8JsonReader reader)
    {
        if (reader.TryGetInt64(out var integer))
        {
            return JsonValue.Create(integer);
        }

        return reader.TryGetUInt64(out var large)
            ? JsonValue.Create(large)
            : JsonValue.Create(NumberText.ParseFloat<double>(NumberText.Of(ref reader)));
    }

    private static void WriteNode(Utf8JsonWriter writer, JsonNode? node)
    {
        switch (node)
        {
            case null:
                writer.WriteNullValue();
                break;
            case JsonObject properties:
                writer.WriteStartObject();
                foreach (var (name, item) in properties)
                {
                    writer.WritePropertyName(JsonText.Check(name));
                    WriteNode(writer, item);
                }

                writer.WriteEndObject();
                break;
            case JsonArray items:
                writer.WriteStartArray();
                foreach (var item in items)
                {
                    WriteNode(writer, item);
                }

                writer.WriteEndArray();
                break;
            default:
                if (node.GetValueKind() == JsonValueKind.String)
                {
                    JsonText.Check(node.ToString());
                }

                node.WriteTo(writer);
                break;
        }
    }
}

internal sealed class ValueCodec() : Codec<Value>("Value")
{
    internal override bool ReadsNull => true;

    internal override Value Read(ref Utf8JsonReader reader) => new(FreeJson.Read(ref reader));

    internal override void Write(Utf8JsonWriter writer, Value value) => FreeJson.Write(writer, value.Node);
}

/// <summary>JSON of any form, as it was received.</summary>
internal sealed class JsonCodec() : Codec<JsonElement>("JSON")
{
    internal override bool ReadsNull => true;

    internal override JsonElement Read(ref Utf8JsonReader reader)
    {
        // An element detects invalid content on first access.
        var copy = reader;
        FreeJson.Read(ref copy);
        return JsonElement.ParseValue(ref reader);
    }

    internal override void Write(Utf8JsonWriter writer, JsonElement value) => value.WriteTo(writer);
}

/// <summary>A JSON object: a <c>Struct</c>, or an <c>Any</c>, whose content the service checks.</summary>
internal sealed class ObjectCodec(string name) : Codec<JsonObject>(name)
{
    internal override JsonObject Read(ref Utf8JsonReader reader) => FreeJson.ReadObject(ref reader);

    internal override void Write(Utf8JsonWriter writer, JsonObject value) =>
        FreeJson.Write(writer, value ?? throw new ValueProblem("expected an object, got null"));

    internal override bool AreEqual(JsonObject one, JsonObject other) => JsonNode.DeepEquals(one, other);

    internal override int HashOf(JsonObject value) => value.Count;
}

internal sealed class ListValueCodec() : Codec<JsonArray>("ListValue")
{
    internal override JsonArray Read(ref Utf8JsonReader reader) => FreeJson.ReadArray(ref reader);

    internal override void Write(Utf8JsonWriter writer, JsonArray value) =>
        FreeJson.Write(writer, value ?? throw new ValueProblem("expected a list, got null"));

    internal override bool AreEqual(JsonArray one, JsonArray other) => JsonNode.DeepEquals(one, other);

    internal override int HashOf(JsonArray value) => value.Count;
}
