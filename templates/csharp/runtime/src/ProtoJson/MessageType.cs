using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Descriptor of a message type.</summary>
internal sealed class MessageType<T>
    where T : class, IMessage<T>
{
    /// <summary>Limits the stack use of each level, because messages nest.</summary>
    private const int MostOnStack = 64;

    private readonly Func<T> _create;
    private readonly Field<T>[] _fields;
    private readonly Dictionary<string, int> _places = new(StringComparer.Ordinal);

    internal MessageType(Func<T> create, params Field<T>[] fields)
    {
        _create = create;
        _fields = fields;
        // JSON names take precedence over proto names of other fields.
        foreach (var isJsonName in new[] { false, true })
        {
            for (var place = 0; place < fields.Length; place++)
            {
                _places[isJsonName ? fields[place].JsonName : fields[place].ProtoName] = place;
            }
        }
    }

    internal T Read(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw ValueProblem.Expected("an object", reader.TokenType);
        }

        var message = _create();
        Span<bool> seen = _fields.Length <= MostOnStack ? stackalloc bool[_fields.Length] : new bool[_fields.Length];
        var expected = 0;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var place = PlaceOf(ref reader, expected);
            if (place < 0)
            {
                JsonText.RefuseUnknown(ref reader);
                reader.Read();
                // The reader cannot skip while JsonSerializer reads a stream.
                reader.TrySkip();
                continue;
            }

            reader.Read();
            expected = place + 1;
            if (seen[place])
            {
                throw new ValueProblem("given more than once", _fields[place].JsonName);
            }

            seen[place] = true;
            ReadField(ref reader, _fields[place], message);
        }

        return message;
    }

    internal void Write(Utf8JsonWriter writer, T message)
    {
        writer.WriteStartObject();
        foreach (var field in _fields)
        {
            try
            {
                if (field.Oneof is not null && field.IsSet(message))
                {
                    RefuseSecondCase(field, message);
                }

                field.Write(writer, message);
            }
            catch (ValueProblem problem)
            {
                throw problem.Beneath(field.JsonName);
            }
        }

        writer.WriteEndObject();
    }

    /// <summary>Returns the value for a field of a oneof. If the value is set, clears the other fields of the oneof.</summary>
    internal TValue CaseOf<TValue>(T message, string oneof, TValue value)
    {
        if (value is not null)
        {
            foreach (var field in _fields)
            {
                if (field.Oneof == oneof)
                {
                    field.Clear(message);
                }
            }
        }

        return value;
    }

    internal bool AreEqual(T one, T? other)
    {
        if (ReferenceEquals(one, other))
        {
            return true;
        }

        return other is not null && Array.TrueForAll(_fields, field => field.AreEqual(one, other));
    }

    internal int HashOf(T message)
    {
        var hash = default(HashCode);
        foreach (var field in _fields)
        {
            hash.Add(field.HashOf(message));
        }

        return hash.ToHashCode();
    }

    /// <summary>Returns the message as ProtoJSON for display, if it can be encoded.</summary>
    internal static string TextOf(T message) => MessageCodec<T>.Instance.TextOf(message);

    private void ReadField(ref Utf8JsonReader reader, Field<T> field, T message)
    {
        if (reader.TokenType == JsonTokenType.Null && !field.ReadsNull)
        {
            return;
        }

        try
        {
            field.Read(ref reader, message);
            if (field.Oneof is not null)
            {
                RefuseSecondCase(field, message);
            }
        }
        catch (ValueProblem problem)
        {
            throw problem.Beneath(field.JsonName);
        }
    }

    private void RefuseSecondCase(Field<T> field, T message)
    {
        foreach (var other in _fields)
        {
            if (other != field && other.Oneof == field.Oneof && other.IsSet(message))
            {
                throw new ValueProblem($"more than one field of {field.Oneof} is set, including {other.JsonName}");
            }
        }
    }

    /// <summary>Looks up a field. Fields usually arrive in order, so the next one is tried first.</summary>
    private int PlaceOf(ref Utf8JsonReader reader, int expected)
    {
        if (expected < _fields.Length && JsonText.IsText(ref reader, _fields[expected].EncodedName.EncodedUtf8Bytes))
        {
            return expected;
        }

        return _places.TryGetValue(JsonText.TextOf(ref reader), out var place) ? place : -1;
    }
}
