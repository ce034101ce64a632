using System.Globalization;
using System.Numerics;
using System.Text.Json;

namespace Svc.Runtime;

internal sealed class BoolCodec() : Codec<bool>("bool")
{
    internal override bool Read(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.True => true,
        JsonTokenType.False => false,
        _ => throw ValueProblem.Expected("a boolean", reader.TokenType),
    };

    internal override void Write(Utf8JsonWriter writer, bool value) => writer.WriteBooleanValue(value);

    internal override bool IsDefault(bool value) => !value;
}

internal sealed class StringCodec() : Codec<string>("string")
{
    internal override string Read(ref Utf8JsonReader reader) => reader.TokenType == JsonTokenType.String
        ? JsonText.TextOf(ref reader)
        : throw ValueProblem.Expected("a string", reader.TokenType);

    internal override void Write(Utf8JsonWriter writer, string value) =>
        writer.WriteStringValue(JsonText.Check(value ?? throw new ValueProblem("expected a string, got null")));

    // Rejects null, which programs without nullable reference types can set.
    internal override bool IsDefault(string value) => value is "";
}

internal sealed class BytesCodec() : Codec<ReadOnlyMemory<byte>>("bytes")
{
    internal override ReadOnlyMemory<byte> Read(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.String)
        {
            throw ValueProblem.Expected("a string", reader.TokenType);
        }

        var text = JsonText.TextOf(ref reader);
        var digits = (text.EndsWith("==", StringComparison.Ordinal) ? text[..^2]
            : text.EndsWith('=') ? text[..^1] : text).Replace('-', '+').Replace('_', '/');
        foreach (var digit in digits)
        {
            if (!char.IsAsciiLetterOrDigit(digit) && digit is not ('+' or '/'))
            {
                throw new ValueProblem("invalid base64");
            }
        }

        return digits.Length % 4 == 1
            ? throw new ValueProblem("truncated base64")
            : Convert.FromBase64String(digits.PadRight((digits.Length + 3) / 4 * 4, '='));
    }

    internal override void Write(Utf8JsonWriter writer, ReadOnlyMemory<byte> value) =>
        writer.WriteBase64StringValue(value.Span);

    internal override bool IsDefault(ReadOnlyMemory<byte> value) => value.IsEmpty;

    internal override bool AreEqual(ReadOnlyMemory<byte> one, ReadOnlyMemory<byte> other) =>
        one.Span.SequenceEqual(other.Span);

    internal override int HashOf(ReadOnlyMemory<byte> value)
    {
        var hash = default(HashCode);
        hash.AddBytes(value.Span);
        return hash.ToHashCode();
    }
}

/// <summary>The codecs of integers: JSON numbers for 32 bits, strings for 64 bits.</summary>
internal sealed class IntegerCodec<T>(string name, bool isText) : Codec<T>(name)
    where T : struct, IBinaryInteger<T>
{
    internal override T Read(ref Utf8JsonReader reader) => NumberText.ParseInteger<T>(NumberText.Of(ref reader));

    internal override void Write(Utf8JsonWriter writer, T value)
    {
        Span<byte> digits = stackalloc byte[24];
        value.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
        if (isText)
        {
            writer.WriteStringValue(digits[..length]);
        }
        else
        {
            writer.WriteRawValue(digits[..length], skipInputValidation: true);
        }
    }

    internal override bool IsDefault(T value) => value == T.Zero;
}

internal sealed class FloatCodec<T>(string name) : Codec<T>(name)
    where T : struct, IBinaryFloatingPointIeee754<T>
{
    internal override T Read(ref Utf8JsonReader reader)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            if (JsonText.IsText(ref reader, "NaN"u8))
            {
                return T.NaN;
            }

            if (JsonText.IsText(ref reader, "Infinity"u8))
            {
                return T.PositiveInfinity;
            }

            if (JsonText.IsText(ref reader, "-Infinity"u8))
            {
                return T.NegativeInfinity;
            }
        }

        return NumberText.ParseFloat<T>(NumberText.Of(ref reader));
    }

    internal override void Write(Utf8JsonWriter writer, T value)
    {
        if (T.IsFinite(value))
        {
            Span<byte> digits = stackalloc byte[40];
            value.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
            writer.WriteRawValue(digits[..length], skipInputValidation: true);
        }
        else
        {
            writer.WriteStringValue(T.IsNaN(value) ? "NaN" : T.IsNegative(value) ? "-Infinity" : "Infinity");
        }
    }

    internal override bool IsDefault(T value) => value == T.Zero && !T.IsNegative(value);
}
