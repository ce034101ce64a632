using System.Text.Encodings.Web;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Accesses the value of a field.</summary>
internal delegate ref TValue Slot<TMessage, TValue>(TMessage message);

/// <summary>Descriptor of a field, with its names in JSON and in the proto file.</summary>
internal abstract class Field<TMessage>(string jsonName, string protoName)
{
    internal string JsonName { get; } = jsonName;

    internal string ProtoName { get; } = protoName;

    internal JsonEncodedText EncodedName { get; } =
        JsonEncodedText.Encode(jsonName, JavaScriptEncoder.UnsafeRelaxedJsonEscaping);

    /// <summary>The oneof that contains the field.</summary>
    internal string? Oneof { get; init; }

    internal virtual bool ReadsNull => false;

    internal abstract void Read(ref Utf8JsonReader reader, TMessage message);

    internal abstract void Write(Utf8JsonWriter writer, TMessage message);

    internal abstract bool IsSet(TMessage message);

    /// <summary>Makes a field with presence absent.</summary>
    internal virtual void Clear(TMessage message) => throw new NotSupportedException();

    internal abstract bool AreEqual(TMessage one, TMessage other);

    internal abstract int HashOf(TMessage message);
}

/// <summary>A field without presence. Its default value is omitted.</summary>
internal sealed class SingleField<TMessage, T>(
    string jsonName,
    string protoName,
    Codec<T> codec,
    Slot<TMessage, T> slot) : Field<TMessage>(jsonName, protoName)
{
    internal override bool ReadsNull => codec.ReadsNull;

    internal override void Read(ref Utf8JsonReader reader, TMessage message) => slot(message) = codec.Read(ref reader);

    internal override void Write(Utf8JsonWriter writer, TMessage message)
    {
        if (IsSet(message))
        {
            writer.WritePropertyName(EncodedName);
            codec.Write(writer, slot(message));
        }
    }

    internal override bool IsSet(TMessage message) => !codec.IsDefault(slot(message));

    internal override bool AreEqual(TMessage one, TMessage other) => codec.AreEqual(slot(one), slot(other));

    internal override int HashOf(TMessage message) => codec.HashOf(slot(message));
}

/// <summary>A field with presence of a reference type. Null means absent.</summary>
internal sealed class OptionalField<TMessage, T>(
    string jsonName,
    string protoName,
    Codec<T> codec,
    Slot<TMessage, T?> slot) : Field<TMessage>(jsonName, protoName)
    where T : class
{
    internal override bool ReadsNull => codec.ReadsNull;

    internal override void Read(ref Utf8JsonReader reader, TMessage message) => slot(message) = codec.Read(ref reader);

    internal override void Write(Utf8JsonWriter writer, TMessage message)
    {
        if (slot(message) is { } value)
        {
            writer.WritePropertyName(EncodedName);
            codec.Write(writer, value);
        }
    }

    internal override bool IsSet(TMessage message) => slot(message) is not null;

    internal override void Clear(TMessage message) => slot(message) = null;

    internal override bool AreEqual(TMessage one, TMessage other) => (slot(one), slot(other)) switch
    {
        ({ } first, { } second) => codec.AreEqual(first, second),
        var (first, second) => first is null && second is null,
    };

    internal override int HashOf(TMessage message) => slot(message) is { } value ? codec.HashOf(value) : 0;
}

/// <summary>A field with presence of a value type. Null means absent.</summary>
internal sealed class OptionalValueField<TMessage, T>(
    string jsonName,
    string protoName,
    Codec<T> codec,
    Slot<TMessage, T?> slot) : Field<TMessage>(jsonName, protoName)
    where T : struct
{
    internal override bool ReadsNull => codec.ReadsNull;

    internal override void Read(ref Utf8JsonReader reader, TMessage message) => slot(message) = codec.Read(ref reader);

    internal override void Write(Utf8JsonWriter writer, TMessage message)
    {
        if (slot(message) is { } value)
        {
            writer.WritePropertyName(EncodedName);
            codec.Write(writer, value);
        }
    }

    internal override bool IsSet(TMessage message) => slot(message).HasValue;

    internal override void Clear(TMessage message) => slot(message) = null;

    internal override bool AreEqual(TMessage one, TMessage other) => (slot(one), slot(other)) switch
    {
        ({ } first, { } second) => codec.AreEqual(first, second),
        var (first, second) => first is null && second is null,
    };

    internal override int HashOf(TMessage message) => slot(message) is { } value ? codec.HashOf(value) : 0;
}
