using System.Globalization;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>An open enum. Stores the text of the value, or null for the default value.</summary>
internal interface IOpenEnum<TSelf> : IProtoJson<TSelf>
    where TSelf : struct, IOpenEnum<TSelf>
{
    static abstract EnumTable Descriptor { get; }

    static abstract TSelf FromText(string text);

    string Text { get; }
}

/// <summary>The names and numbers of an enum, in declaration order.</summary>
internal sealed class EnumTable
{
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly Dictionary<int, string> _names = [];

    internal EnumTable(params (string Name, int Number)[] values)
    {
        foreach (var (name, number) in values)
        {
            _numbers.TryAdd(name, number);
            _names.TryAdd(number, name);
        }

        Default = NameOf(0) ?? (values.Length > 0 ? values[0].Name : "0");
    }

    /// <summary>The name of the default value: the value with number 0, or the first value.</summary>
    internal string Default { get; }

    /// <summary>Returns the first name of a number.</summary>
    internal string? NameOf(int number) => _names.GetValueOrDefault(number);

    /// <summary>
    /// Returns the stored text of a value: the first name of its number if known, or null for the default value.
    /// </summary>
    internal string? Normalize(string text)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        var known = _numbers.TryGetValue(text, out var number) || IsNumber(text, out number)
            ? NameOf(number) ?? number.ToString(CultureInfo.InvariantCulture)
            : text;
        return known == Default ? null : known;
    }

    /// <summary>Returns the number of a value, if known.</summary>
    internal int? NumberOf(string text) =>
        _numbers.TryGetValue(text, out var known) || IsNumber(text, out known) ? known : null;

    internal static bool IsNumber(string text, out int number) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
}

internal sealed class EnumCodec<T>() : Codec<T>(typeof(T).Name)
    where T : struct, IOpenEnum<T>
{
    internal static readonly EnumCodec<T> Instance = new();

    internal override T Read(ref Utf8JsonReader reader)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.String:
                var text = JsonText.TextOf(ref reader);
                return text.Length == 0 ? throw new ValueProblem("expected a name or number, got an empty string") : T.FromText(text);
            case JsonTokenType.Number:
                var number = NumberText.ParseInteger<int>(NumberText.Of(ref reader));
                return T.FromText(number.ToString(CultureInfo.InvariantCulture));
            default:
                throw ValueProblem.Expected("a name or number", reader.TokenType);
        }
    }

    internal override void Write(Utf8JsonWriter writer, T value)
    {
        var text = value.Text;
        if (EnumTable.IsNumber(text, out var number))
        {
            writer.WriteNumberValue(number);
        }
        else
        {
            writer.WriteStringValue(JsonText.Check(text));
        }
    }

    internal override bool IsDefault(T value) => value.Text == T.Descriptor.Default;
}
