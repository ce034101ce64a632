using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Reads and writes values of one type as exact ProtoJSON.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class Codec<T>
{
    private protected Codec(string name) => Name = name;

    /// <summary>Name of the type, for messages of errors.</summary>
    internal string Name { get; }

    /// <summary>Whether JSON's null is a value, and not absence.</summary>
    internal virtual bool ReadsNull => false;

    /// <summary>Reads a value from a ProtoJSON text. Fields that the SDK does not know are ignored.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ValueException">The text is not JSON, or not of this type.</exception>
    public T Parse(string json)
    {
        ArgumentNullException.ThrowIfNull(json);
        return Parse(Encoding.UTF8.GetBytes(json));
    }

    /// <summary>Writes a value as canonical ProtoJSON.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The text, on one line.</returns>
    /// <exception cref="ValueException">The value does not fit its type.</exception>
    public string Format(T value) => Encoding.UTF8.GetString(Write(value).Span);

    /// <summary>Reads what the reader stands on, and leaves it on the last token of it.</summary>
    internal abstract T Read(ref Utf8JsonReader reader);

    /// <summary>Writes a value where the writer stands.</summary>
    internal abstract void Write(Utf8JsonWriter writer, T value);

    /// <summary>Whether a field without presence is left out with this value.</summary>
    internal virtual bool IsDefault(T value) => false;

    /// <summary>Whether two values say the same.</summary>
    internal virtual bool AreEqual(T one, T other) => EqualityComparer<T>.Default.Equals(one, other);

    /// <summary>A hash that equal values share.</summary>
    internal virtual int HashOf(T value) => value is null ? 0 : EqualityComparer<T>.Default.GetHashCode(value);

    /// <summary>Reads a whole text.</summary>
    internal T Parse(ReadOnlySpan<byte> utf8)
    {
        var reader = new Utf8JsonReader(utf8, JsonText.ReaderOptions);
        try
        {
            reader.Read();
            var value = Read(ref reader);
            // What follows the value is refused by the reader.
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

    /// <summary>Writes a whole text as UTF-8.</summary>
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

    private ValueException Refuse(ValueProblem problem)
    {
        var place = problem.Path.Length == 0 ? Name : $"{Name}: {problem.Path}";
        return new ValueException($"{place}: {problem.Message}", problem);
    }
}

/// <summary>How JSON is read and written.</summary>
internal static class JsonText
{
    /// <summary>Messages inside messages; more would end the stack of a thread.</summary>
    internal const int MaxDepth = 500;

    internal static JsonReaderOptions ReaderOptions => new() { MaxDepth = MaxDepth };

    internal static JsonWriterOptions WriterOptions => new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        MaxDepth = MaxDepth,
        SkipValidation = true,
    };

    /// <summary>The text of a string or of the name of a property.</summary>
    internal static string TextOf(ref Utf8JsonReader reader)
    {
        try
        {
            return reader.GetString() ?? "";
        }
        catch (InvalidOperationException)
        {
            throw new ValueProblem("the text holds half of a surrogate pair");
        }
    }
}
