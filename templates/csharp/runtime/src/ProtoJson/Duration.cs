using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Svc.Runtime;

/// <summary>
/// A span of time to the nanosecond, at most 10,000 years: <c>google.protobuf.Duration</c>. A <see cref="TimeSpan"/> is one
/// too.
/// </summary>
public readonly partial record struct Duration : IComparable<Duration>
{
    private const long Longest = 315_576_000_000;

    /// <summary>Makes a span of time. Both parts have the same sign.</summary>
    /// <param name="seconds">Whole seconds.</param>
    /// <param name="nanos">Nanoseconds beside them, -999,999,999 to 999,999,999.</param>
    /// <exception cref="ArgumentOutOfRangeException">The span is too long, or the signs differ.</exception>
    public Duration(long seconds, int nanos = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Math.Abs(seconds), Longest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(nanos, seconds < 0 ? 0 : Fraction.LargestNanos);
        ArgumentOutOfRangeException.ThrowIfLessThan(nanos, seconds > 0 ? 0 : -Fraction.LargestNanos);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Math.Abs(nanos), Math.Abs(seconds) == Longest ? 0 : Fraction.LargestNanos);
        Seconds = seconds;
        Nanos = nanos;
    }

    /// <summary>Whole seconds.</summary>
    public long Seconds { get; }

    /// <summary>Nanoseconds beside them.</summary>
    public int Nanos { get; }

    /// <summary>Takes a <see cref="TimeSpan"/>.</summary>
    /// <param name="span">The span.</param>
    public static implicit operator Duration(TimeSpan span) => FromTimeSpan(span);

    /// <summary>Whether one span is shorter than another.</summary>
    /// <param name="left">A span.</param>
    /// <param name="right">Another span.</param>
    public static bool operator <(Duration left, Duration right) => left.CompareTo(right) < 0;

    /// <summary>Whether one span is longer than another.</summary>
    /// <param name="left">A span.</param>
    /// <param name="right">Another span.</param>
    public static bool operator >(Duration left, Duration right) => left.CompareTo(right) > 0;

    /// <summary>Whether one span is not longer than another.</summary>
    /// <param name="left">A span.</param>
    /// <param name="right">Another span.</param>
    public static bool operator <=(Duration left, Duration right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one span is not shorter than another.</summary>
    /// <param name="left">A span.</param>
    /// <param name="right">Another span.</param>
    public static bool operator >=(Duration left, Duration right) => left.CompareTo(right) >= 0;

    /// <summary>Takes a <see cref="TimeSpan"/>.</summary>
    /// <param name="span">The span.</param>
    /// <returns>The same span.</returns>
    public static Duration FromTimeSpan(TimeSpan span) =>
        new(span.Ticks / TimeSpan.TicksPerSecond, (int)(span.Ticks % TimeSpan.TicksPerSecond) * 100);

    /// <summary>Gives the span as a <see cref="TimeSpan"/>, which counts in 100 nanoseconds.</summary>
    /// <returns>The span.</returns>
    public TimeSpan ToTimeSpan() => new((Seconds * TimeSpan.TicksPerSecond) + (Nanos / 100));

    /// <inheritdoc/>
    public int CompareTo(Duration other) =>
        Seconds == other.Seconds ? Nanos.CompareTo(other.Nanos) : Seconds.CompareTo(other.Seconds);

    /// <summary>Gives the span in seconds: <c>1.500s</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        var sign = Seconds < 0 || Nanos < 0 ? "-" : "";
        var seconds = Math.Abs(Seconds).ToString(CultureInfo.InvariantCulture);
        return $"{sign}{seconds}{Fraction.Print(Math.Abs(Nanos))}s";
    }

    internal static Duration Read(string text)
    {
        var match = Form().Match(text);
        if (!match.Success)
        {
            throw new ValueProblem($"expected a duration such as 1.5s, got \"{text}\"");
        }

        var sign = match.Groups[1].Length == 0 ? 1 : -1;
        var seconds = long.Parse(match.Groups[2].ValueSpan, CultureInfo.InvariantCulture);
        var nanos = Fraction.Parse(match.Groups[3].Value);
        return seconds > Longest || (seconds == Longest && nanos > 0)
            ? throw new ValueProblem("a duration is at most 10,000 years")
            : new Duration(sign * seconds, sign * nanos);
    }

    [GeneratedRegex(@"\A(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?s\z")]
    private static partial Regex Form();
}

internal sealed class DurationCodec() : Codec<Duration>("Duration")
{
    internal override Duration Read(ref Utf8JsonReader reader) => reader.TokenType == JsonTokenType.String
        ? Duration.Read(JsonText.TextOf(ref reader))
        : throw ValueProblem.Expected("a duration such as 1.5s", reader.TokenType);

    internal override void Write(Utf8JsonWriter writer, Duration value) => writer.WriteStringValue(value.ToString());
}
