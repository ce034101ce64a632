namespace Svc.Runtime;

/// <summary>Creates fields of messages, with types inferred from the arguments.</summary>
internal static class Fields
{
    internal static Field<TMessage> Single<TMessage, T>(
        string jsonName,
        string protoName,
        Codec<T> codec,
        Slot<TMessage, T> slot) => new SingleField<TMessage, T>(jsonName, protoName, codec, slot);

    internal static Field<TMessage> Optional<TMessage, T>(
        string jsonName,
        string protoName,
        Codec<T> codec,
        Slot<TMessage, T?> slot,
        string? oneof = null)
        where T : class => new OptionalField<TMessage, T>(jsonName, protoName, codec, slot) { Oneof = oneof };

    internal static Field<TMessage> OptionalValue<TMessage, T>(
        string jsonName,
        string protoName,
        Codec<T> codec,
        Slot<TMessage, T?> slot,
        string? oneof = null)
        where T : struct => new OptionalValueField<TMessage, T>(jsonName, protoName, codec, slot) { Oneof = oneof };

    internal static Field<TMessage> List<TMessage, T>(
        string jsonName,
        string protoName,
        Codec<T> codec,
        Slot<TMessage, IReadOnlyList<T>> slot) => new ListField<TMessage, T>(jsonName, protoName, codec, slot);

    /// <summary>
    /// Returns a copy of a list for a message, which later changes to the list do not affect. Null is rejected when it is encoded.
    /// </summary>
    internal static IReadOnlyList<T> Copy<T>(IReadOnlyList<T> items) => items is null ? null! : Array.AsReadOnly([.. items]);

    /// <summary>Returns a copy of a map for a message. Otherwise, it works like the method for lists.</summary>
    internal static IReadOnlyDictionary<TKey, T> Copy<TKey, T>(IReadOnlyDictionary<TKey, T> items)
        where TKey : notnull => items is null ? null! : new Dictionary<TKey, T>(items).AsReadOnly();

    internal static Field<TMessage> Map<TMessage, TKey, T>(
        string jsonName,
        string protoName,
        MapKey<TKey> key,
        Codec<T> codec,
        Slot<TMessage, IReadOnlyDictionary<TKey, T>> slot)
        where TKey : notnull => new MapField<TMessage, TKey, T>(jsonName, protoName, key, codec, slot);
}
