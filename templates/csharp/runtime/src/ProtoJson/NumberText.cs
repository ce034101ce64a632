using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Parses numbers: JSON numbers and numeric strings.</summary>
internal static class NumberText
{
    private const NumberStyles Integer = NumberStyles.AllowLeadingSign;
    private const NumberStyles Float = Integer | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    /// <summary>Returns the characters of a number or numeric string.</summary>
    internal static ReadOnlySpan<byte> Of(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.Number => BytesOf(ref reader),
        JsonTokenType.String when !reader.ValueIsEscaped => BytesOf(ref reader),
        JsonTokenType.String => Encoding.UTF8.GetBytes(JsonText.TextOf(ref reader)),
        _ => throw ValueProblem.Expected("a number", reader.TokenType),
    };

    /// <summary>A reader over several segments may split a value between them.</summary>
    private static ReadOnlySpan<byte> BytesOf(ref Utf8JsonReader reader) =>
        reader.HasValueSequence ? reader.ValueSequence.ToArray() : reader.ValueSpan;

    internal static T ParseInteger<T>(ReadOnlySpan<byte> text)
        where T : struct, IBinaryInteger<T>
    {
        Check(text);
        if (T.TryParse(text, Integer, CultureInfo.InvariantCulture, out var value))
        {
            return value;
        }

        if (text.IndexOfAny(".eE"u8) < 0)
        {
            throw OutOfRange<T>();
        }

        // 1.0 and 1e3 are integers. A decimal represents all 64-bit integers.
        if (!decimal.TryParse(text, Float, CultureInfo.InvariantCulture, out var exact))
        {
            throw OutOfRange<T>();
        }

        // A decimal rounds very small fractions to 0.
        if (decimal.Truncate(exact) != exact || (exact == 0 && MantissaOf(text).IndexOfAnyInRange((byte)'1', (byte)'9') >= 0))
        {
            throw new ValueProblem("not an integer");
        }

        try
        {
            return T.CreateChecked(exact);
        }
        catch (OverflowException)
        {
            throw OutOfRange<T>();
        }
    }

    internal static T ParseFloat<T>(ReadOnlySpan<byte> text)
        where T : struct, IBinaryFloatingPointIeee754<T>
    {
        Check(text);
        if (T.TryParse(text, Float, CultureInfo.InvariantCulture, out var value) && T.IsFinite(value))
        {
            return value;
        }

        throw new ValueProblem($"out of range for {(typeof(T) == typeof(float) ? 32 : 64)} bits");
    }

    private static ReadOnlySpan<byte> MantissaOf(ReadOnlySpan<byte> text)
    {
        var end = text.IndexOfAny("eE"u8);
        return end < 0 ? text : text[..end];
    }

    /// <summary>Reports whether the characters are a JSON number. The .NET parsers accept more forms.</summary>
    private static void Check(ReadOnlySpan<byte> text)
    {
        var digits = text.StartsWith("-"u8) ? text[1..] : text;
        var rest = SkipDigits(digits);
        if (digits.Length - rest.Length > 1 && digits[0] == (byte)'0')
        {
            throw new ValueProblem("not a number");
        }

        if (rest.StartsWith("."u8))
        {
            rest = SkipDigits(rest[1..]);
        }

        if (rest.Length > 0 && rest[0] is (byte)'e' or (byte)'E')
        {
            rest = rest[1..];
            rest = SkipDigits(rest.Length > 0 && rest[0] is (byte)'+' or (byte)'-' ? rest[1..] : rest);
        }

        if (rest.Length > 0)
        {
            throw new ValueProblem("not a number");
        }
    }

    private static ReadOnlySpan<byte> SkipDigits(ReadOnlySpan<byte> text)
    {
        var end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return end == 0 || text.Length == 0 ? throw new ValueProblem("not a number") : end < 0 ? default : text[end..];
    }

    private static ValueProblem OutOfRange<T>()
        where T : struct, IBinaryInteger<T> => new($"out of range for {T.Zero.GetByteCount() * 8} bits");
}
