using System.Text.Json;
using System.Text.RegularExpressions;

namespace Svc.Runtime;

/// <summary>Paths of fields: <c>google.protobuf.FieldMask</c>.</summary>
public sealed partial class FieldMask : IEquatable<FieldMask>
{
    /// <summary>Makes a mask.</summary>
    /// <param name="paths">Paths in JSON names: <c>address.zipCode</c>.</param>
    public FieldMask(params string[] paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        Paths = [.. paths];
    }

    /// <summary>Paths in JSON names.</summary>
    public IReadOnlyList<string> Paths { get; }

    /// <inheritdoc/>
    public bool Equals(FieldMask? other) => other is not null && ToString() == other.ToString();

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as FieldMask);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    /// <summary>Gives the paths, joined by commas.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Join(',', Paths);

    internal static string Check(string text) => Form().IsMatch(text)
        ? text
        : throw new ValueProblem("a field mask joins JSON names with dots and commas");

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
