using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>Any JSON value, including null: <c>google.protobuf.Value</c>.</summary>
[JsonConverter(typeof(ProtoJsonConverter<Value>))]
public readonly struct Value : IEquatable<Value>, IProtoJson<Value>
{
    /// <summary>Creates a value.</summary>
    /// <param name="node">The JSON; null represents JSON null.</param>
    public Value(JsonNode? node) => Node = node;

    /// <summary>JSON null.</summary>
    public static Value Null => default;

    /// <summary>The JSON; null represents JSON null.</summary>
    public JsonNode? Node { get; }

    static Codec<Value> IProtoJson<Value>.Codec => ProtoJson.Value;

    /// <summary>Creates a value from a string.</summary>
    /// <param name="text">The text.</param>
    public static implicit operator Value(string? text) => new(JsonValue.Create(text));

    /// <summary>Creates a value from a number.</summary>
    /// <param name="number">The number.</param>
    public static implicit operator Value(double number) => new(JsonValue.Create(number));

    /// <summary>Creates a value from an integer, which is exact.</summary>
    /// <param name="number">The number.</param>
    public static implicit operator Value(long number) => new(JsonValue.Create(number));

    /// <summary>Creates a value from an integer, which is exact.</summary>
    /// <param name="number">The number.</param>
    public static implicit operator Value(ulong number) =>
        number <= long.MaxValue ? new(JsonValue.Create((long)number)) : new(JsonValue.Create(number));

    /// <summary>Creates a value from an integer, which is exact.</summary>
    /// <remarks>The compiler could not choose between the conversions of longer integers.</remarks>
    /// <param name="number">The number.</param>
    public static implicit operator Value(uint number) => (long)number;

    /// <summary>Creates a value from a boolean.</summary>
    /// <param name="flag">The boolean.</param>
    public static implicit operator Value(bool flag) => new(JsonValue.Create(flag));

    /// <summary>Creates a value from JSON.</summary>
    /// <param name="node">The JSON.</param>
    public static implicit operator Value(JsonNode? node) => new(node);

    /// <summary>Reports whether two values are equal.</summary>
    /// <param name="left">A value.</param>
    /// <param name="right">Another value.</param>
    public static bool operator ==(Value left, Value right) => left.Equals(right);

    /// <summary>Reports whether two values differ.</summary>
    /// <param name="left">A value.</param>
    /// <param name="right">Another value.</param>
    public static bool operator !=(Value left, Value right) => !left.Equals(right);

    /// <summary>Creates a value from JSON.</summary>
    /// <param name="node">The JSON.</param>
    /// <returns>The value.</returns>
    public static Value FromJsonNode(JsonNode? node) => new(node);

    /// <inheritdoc/>
    public bool Equals(Value other) => JsonNode.DeepEquals(Node, other.Node);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Value other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Node is null ? 0 : (int)Node.GetValueKind() + 1;

    /// <summary>Returns the value as JSON for display, if it can be encoded.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => ProtoJson.Value.TextOf(this);
}
