using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A repeated field. An empty list is absent.</summary>
internal sealed class ListField<TMessage, T>(
    string jsonName,
    string protoName,
    Codec<T> codec,
    Slot<TMessage, IReadOnlyList<T>> slot) : Field<TMessage>(jsonName, protoName)
{
    internal override void Read(ref Utf8JsonReader reader, TMessage message)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw ValueProblem.Expected("a list", reader.TokenType);
        }

        var items = new List<T>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            try
            {
                items.Add(codec.Read(ref reader));
            }
            catch (ValueProblem problem)
            {
                throw problem.Beneath(items.Count);
            }
        }

        slot(message) = items.AsReadOnly();
    }

    internal override void Write(Utf8JsonWriter writer, TMessage message)
    {
        var items = slot(message) ?? throw ValueProblem.Expected("a list", JsonTokenType.Null);
        if (items.Count == 0)
        {
            return;
        }

        writer.WritePropertyName(EncodedName);
        writer.WriteStartArray();
        var index = 0;
        foreach (var item in items)
        {
            try
            {
                codec.Write(writer, item);
            }
            catch (ValueProblem problem)
            {
                throw problem.Beneath(index);
            }

            index++;
        }

        writer.WriteEndArray();
    }

    internal override bool IsSet(TMessage message) => slot(message) is { Count: > 0 };

    internal override bool AreEqual(TMessage one, TMessage other)
    {
        var (first, second) = (slot(one), slot(other));
        if (first is null || second is null || first.Count != second.Count)
        {
            return ReferenceEquals(first, second);
        }

        for (var index = 0; index < first.Count; index++)
        {
            if (!codec.AreEqual(first[index], second[index]))
            {
                return false;
            }
        }

        return true;
    }

    internal override int HashOf(TMessage message)
    {
        var hash = default(HashCode);
        foreach (var item in slot(message) ?? [])
        {
            hash.Add(codec.HashOf(item));
        }

        return hash.ToHashCode();
    }
}

/// <summary>A map field. An empty map is absent.</summary>
internal sealed class MapField<TMessage, TKey, T>(
    string jsonName,
    string protoName,
    MapKey<TKey> key,
    Codec<T> codec,
    Slot<TMessage, IReadOnlyDictionary<TKey, T>> slot) : Field<TMessage>(jsonName, protoName)
    where TKey : notnull
{
    internal override void Read(ref Utf8JsonReader reader, TMessage message)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw ValueProblem.Expected("an object", reader.TokenType);
        }

        var items = new Dictionary<TKey, T>();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var text = JsonText.TextOf(ref reader);
            try
            {
                reader.Read();
                if (!items.TryAdd(key.Parse(text), codec.Read(ref reader)))
                {
                    throw new ValueProblem("given more than once");
                }
            }
            catch (ValueProblem problem)
            {
                throw problem.Beneath(text);
            }
        }

        slot(message) = items.AsReadOnly();
    }

    internal override void Write(Utf8JsonWriter writer, TMessage message)
    {
        var items = slot(message) ?? throw ValueProblem.Expected("an object", JsonTokenType.Null);
        if (items.Count == 0)
        {
            return;
        }

        writer.WritePropertyName(EncodedName);
        writer.WriteStartObject();
        foreach (var (name, item) in items)
        {
            var text = key.Format(name);
            try
            {
                writer.WritePropertyName(text);
                codec.Write(writer, item);
            }
            catch (ValueProblem problem)
            {
                throw problem.Beneath(text);
            }
        }

        writer.WriteEndObject();
    }

    internal override bool IsSet(TMessage message) => slot(message) is { Count: > 0 };

    internal override bool AreEqual(TMessage one, TMessage other)
    {
        var (first, second) = (slot(one), slot(other));
        if (first is null || second is null || first.Count != second.Count)
        {
            return ReferenceEquals(first, second);
        }

        foreach (var (name, item) in first)
        {
            if (!second.TryGetValue(name, out var found) || !codec.AreEqual(item, found))
            {
                return false;
            }
        }

        return true;
    }

    internal override int HashOf(TMessage message)
    {
        var hash = 0;
        foreach (var (name, item) in slot(message) ?? new Dictionary<TKey, T>())
        {
            // The order of map entries is irrelevant.
            hash ^= HashCode.Combine(name, codec.HashOf(item));
        }

        return hash;
    }
}
