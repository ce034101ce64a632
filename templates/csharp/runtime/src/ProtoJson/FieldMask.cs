using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace Svc.Runtime;

/// <summary>A set of field paths: <c>google.protobuf.FieldMask</c>.</summary>
[JsonConverter(typeof(ProtoJsonConverter<FieldMask>))]
public sealed partial class FieldMask : IEquatable<FieldMask>, IProtoJson<FieldMask>
{
    /// <summary>Creates a field mask.</summary>
    /// <param name="paths">Paths of JSON names, such as <c>address.zipCode</c>.</param>
    public FieldMask(params string[] paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        Paths = [.. paths];
    }

    /// <summary>Paths of JSON names.</summary>
    public IReadOnlyList<string> Paths { get; }

    static Codec<FieldMask> IProtoJson<FieldMask>.Codec => ProtoJson.FieldMask;

    /// <inheritdoc/>
    public bool Equals(FieldMask? other) => other is not null && ToString() == other.ToString();

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as FieldMask);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    /// <summary>Returns the paths, separated by commas.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Join(',', Paths);

    internal static string Check(string text) => Form().IsMatch(text)
        ? text
        : throw new ValueProblem("expected a field mask such as user.displayName,photo");

    [GeneratedRegex(@"\A(?:[A-Za-z0-9]+(?:[.,][A-Za-z0-9]+)*)?\z")]
    private static partial Regex Form();
}

internal sealed class FieldMaskCodec() : Codec<FieldMask>("FieldMask")
{
    internal override FieldMask Read(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.String)
        {
            throw ValueProblem.Expected("a string", reader.TokenType);
        }

        var text = FieldMask.Check(JsonText.TextOf(ref reader));
        return text.Length == 0 ? new FieldMask() : new FieldMask(text.Split(','));
    }

    internal override void Write(Utf8JsonWriter writer, FieldMask value) =>
        writer.WriteStringValue(FieldMask.Check(value.ToString()));
}
