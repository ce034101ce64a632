using System.Text.Json.Nodes;

namespace Svc.Runtime;

/// <summary>
/// ProtoJSON of types that are not messages of this package. Messages have <c>FromJson</c> and <c>ToJson</c>.
/// </summary>
public static class ProtoJson
{
    /// <summary>Messages of any type, with their type URL in <c>@type</c>.</summary>
    public static Codec<JsonObject> Any { get; } = new ObjectCodec("Any");

    /// <summary>Booleans.</summary>
    public static Codec<bool> BoolValue { get; } = new BoolCodec();

    /// <summary>Bytes, as base64.</summary>
    public static Codec<ReadOnlyMemory<byte>> BytesValue { get; } = new BytesCodec();

    /// <summary>64-bit floats.</summary>
    public static Codec<double> DoubleValue { get; } = new FloatCodec<double>("double");

    /// <summary>Durations.</summary>
    public static Codec<Duration> Duration { get; } = new DurationCodec();

    /// <summary>The empty message.</summary>
    public static Codec<Empty> Empty { get; } = new EmptyCodec();

    /// <summary>Field masks.</summary>
    public static Codec<FieldMask> FieldMask { get; } = new FieldMaskCodec();

    /// <summary>32-bit floats.</summary>
    public static Codec<float> FloatValue { get; } = new FloatCodec<float>("float");

    /// <summary>Signed 32-bit integers.</summary>
    public static Codec<int> Int32Value { get; } = new IntegerCodec<int>("int32", isText: false);

    /// <summary>Signed 64-bit integers.</summary>
    public static Codec<long> Int64Value { get; } = new IntegerCodec<long>("int64", isText: true);

    /// <summary>JSON arrays.</summary>
    public static Codec<JsonArray> ListValue { get; } = new ListValueCodec();

    /// <summary>JSON null.</summary>
    public static Codec<NullValue> NullValue { get; } = new NullCodec();

    /// <summary>Strings.</summary>
    public static Codec<string> StringValue { get; } = new StringCodec();

    /// <summary>JSON objects.</summary>
    public static Codec<JsonObject> Struct { get; } = new ObjectCodec("Struct");

    /// <summary>Timestamps.</summary>
    public static Codec<Timestamp> Timestamp { get; } = new TimestampCodec();

    /// <summary>Unsigned 32-bit integers.</summary>
    public static Codec<uint> UInt32Value { get; } = new IntegerCodec<uint>("uint32", isText: false);

    /// <summary>Unsigned 64-bit integers.</summary>
    public static Codec<ulong> UInt64Value { get; } = new IntegerCodec<ulong>("uint64", isText: true);

    /// <summary>Any JSON value.</summary>
    public static Codec<Value> Value { get; } = new ValueCodec();

    /// <summary>Messages of this package.</summary>
    internal static Codec<T> Message<T>()
        where T : class, IMessage<T> => MessageCodec<T>.Instance;

    /// <summary>Enums of this package.</summary>
    internal static Codec<T> Enum<T>()
        where T : struct, IOpenEnum<T> => EnumCodec<T>.Instance;
}
