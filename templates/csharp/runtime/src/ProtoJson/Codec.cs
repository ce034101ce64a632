using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Encodes and decodes values of one type as ProtoJSON.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class Codec<T>
{
    private protected Codec(string name) => Name = name;

    /// <summary>The name of the type in error messages.</summary>
    internal string Name { get; }

    /// <summary>Whether JSON null is a value rather than absence.</summary>
    internal virtual bool ReadsNull => false;

    /// <summary>Decodes a value from ProtoJSON. Unknown fields are ignored.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ValueException">The text is not valid ProtoJSON of the type.</exception>
    public T Parse(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        return Parse(Encoding.UTF8.GetBytes(json));
    }

    /// <summary>Decodes a value from ProtoJSON and rejects unknown fields. Use it for handwritten text.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ValueException">The text is not valid ProtoJSON of the type, or has an unknown field.</exception>
    public T ParseStrict(string json)
    {
        JsonText.IsStrict = true;
        try
        {
            return Parse(json);
        }
        finally
        {
            JsonText.IsStrict = false;
        }
    }

    /// <summary>Encodes a value as canonical ProtoJSON.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The text, on one line.</returns>
    /// <exception cref="ValueException">The value is invalid for its type.</exception>
    public string Format(T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return Encoding.UTF8.GetString(Write(value).Span);
    }

    /// <summary>Decodes the current value and leaves the reader on its last token.</summary>
    internal abstract T Read(ref Utf8JsonReader reader);

    /// <summary>Encodes a value.</summary>
    internal abstract void Write(Utf8JsonWriter writer, T value);

    /// <summary>Reports whether a field without presence omits the value.</summary>
    internal virtual bool IsDefault(T value) => false;

    /// <summary>Reports whether two values are equal.</summary>
    internal virtual bool AreEqual(T one, T other) => EqualityComparer<T>.Default.Equals(one, other);

    /// <summary>Returns a hash code consistent with equality.</summary>
    internal virtual int HashOf(T value) => value is null ? 0 : EqualityComparer<T>.Default.GetHashCode(value);

    /// <summary>Decodes a complete text.</summary>
    internal T Parse(ReadOnlySpan<byte> utf8)
    {
        var reader = new Utf8JsonReader(utf8, JsonText.ReaderOptions);
        try
        {
            reader.Read();
            var value = Read(ref reader);
            // The reader rejects trailing content.
            reader.Read();
            return value;
        }
        catch (ValueProblem problem)
        {
            throw Refuse(problem);
        }
        catch (JsonException problem)
        {
            throw new ValueException($"{Name}: not JSON: {problem.Message}", problem);
        }
    }

    /// <summary>Encodes a value as UTF-8.</summary>
    internal ReadOnlyMemory<byte> Write(T value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var writer = new Utf8JsonWriter(buffer, JsonText.WriterOptions);
        try
        {
            Write(writer, value);
        }
        catch (ValueProblem problem)
        {
            throw Refuse(problem);
        }
        catch (InvalidOperationException problem) when (writer.CurrentDepth >= JsonText.MaxDepth)
        {
            throw new ValueException($"{Name}: nested too deeply", problem);
        }

        writer.Flush();
        return buffer.WrittenMemory;
    }

    /// <summary>Returns a value as ProtoJSON for display, or the problem in parentheses if it cannot be encoded.</summary>
    internal string TextOf(T value)
    {
        try
        {
            return Format(value);
        }
        catch (ValueException problem)
        {
            return $"({problem.Message})";
        }
    }

    /// <summary>Returns the exception for an invalid value.</summary>
    internal ValueException Refuse(ValueProblem problem)
    {
        var place = problem.Path.Length == 0 ? Name : $"{Name}: {problem.Path}";
        return new ValueException($"{place}: {problem.Message}", problem);
    }
}

/// <summary>Settings of the JSON reader and writer.</summary>
internal static class JsonText
{
    /// <summary>The maximum nesting depth, within the stack size of a thread.</summary>
    internal const int MaxDepth = 500;

    /// <summary>Whether this thread rejects unknown fields. The reader cannot carry this setting.</summary>
    [field: ThreadStatic]
    internal static bool IsStrict { get; set; }

    internal static JsonReaderOptions ReaderOptions => new() { MaxDepth = MaxDepth };

    internal static JsonWriterOptions WriterOptions => new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        MaxDepth = MaxDepth,
        SkipValidation = true,
    };

    /// <summary>Rejects unpaired surrogates, which the writer would replace.</summary>
    internal static string Check(string text)
    {
        var rest = text.AsSpan();
        for (var start = NextSurrogate(rest); start >= 0; start = NextSurrogate(rest))
        {
            if (Rune.DecodeFromUtf16(rest[start..], out _, out var length) != OperationStatus.Done)
            {
                throw new ValueProblem("not valid Unicode");
            }

            rest = rest[(start + length)..];
        }

        return text;
    }

    /// <summary>Rejects unpaired surrogates in an argument of the caller.</summary>
    /// <exception cref="ArgumentException">The text is not valid Unicode.</exception>
    internal static string CheckArgument(string text, [CallerArgumentExpression(nameof(text))] string? name = null)
    {
        try
        {
            return Check(text);
        }
        catch (ValueProblem problem)
        {
            throw new ArgumentException($"the text is {problem.Message}", name, problem);
        }
    }

    /// <summary>Rejects the current property, an unknown field, if this thread is strict.</summary>
    internal static void RefuseUnknown(ref Utf8JsonReader reader)
    {
        if (IsStrict)
        {
            throw new ValueProblem("unknown field", TextOf(ref reader));
        }
    }

    /// <summary>Returns the text of a string or property name.</summary>
    internal static string TextOf(ref Utf8JsonReader reader)
    {
        try
        {
            return reader.GetString() ?? "";
        }
        catch (InvalidOperationException)
        {
            throw new ValueProblem("not valid Unicode");
        }
    }

    /// <summary>Reports whether a string or property name equals a text.</summary>
    internal static bool IsText(ref Utf8JsonReader reader, ReadOnlySpan<byte> utf8)
    {
        try
        {
            return reader.ValueTextEquals(utf8);
        }
        catch (InvalidOperationException)
        {
            throw new ValueProblem("not valid Unicode");
        }
    }

    private static int NextSurrogate(ReadOnlySpan<char> text) => text.IndexOfAnyInRange('\ud800', '\udfff');
}
