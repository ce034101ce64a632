using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace Svc.Runtime;

/// <summary>
/// A span of time of less than 315,576,000,001 seconds (10,000 years) with nanosecond precision: <c>google.protobuf.Duration</c>. Converts implicitly
/// from <see cref="TimeSpan"/>.
/// </summary>
[JsonConverter(typeof(ProtoJsonConverter<Duration>))]
public readonly partial record struct Duration : IComparable<Duration>, IProtoJson<Duration>
{
    private const long Longest = 315_576_000_000;

    /// <summary>Creates a duration. Both parts must have the same sign.</summary>
    /// <param name="seconds">Whole seconds.</param>
    /// <param name="nanos">Nanoseconds within the second, -999,999,999 to 999,999,999.</param>
    /// <exception cref="ArgumentOutOfRangeException">The duration is too long, or the signs differ.</exception>
    public Duration(long seconds, int nanos = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(seconds, -Longest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(seconds, Longest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(nanos, seconds < 0 ? 0 : Fraction.LargestNanos);
        ArgumentOutOfRangeException.ThrowIfLessThan(nanos, seconds > 0 ? 0 : -Fraction.LargestNanos);
        Seconds = seconds;
        Nanos = nanos;
    }

    /// <summary>Whole seconds.</summary>
    public long Seconds { get; }

    /// <summary>Nanoseconds within the second.</summary>
    public int Nanos { get; }

    static Codec<Duration> IProtoJson<Duration>.Codec => ProtoJson.Duration;

    /// <summary>Converts from a <see cref="TimeSpan"/>.</summary>
    /// <param name="span">The span.</param>
    public static implicit operator Duration(TimeSpan span) => FromTimeSpan(span);

    /// <summary>Converts to a <see cref="TimeSpan"/>, which has a precision of 100 nanoseconds.</summary>
    /// <param name="duration">The duration.</param>
    public static explicit operator TimeSpan(Duration duration) => duration.ToTimeSpan();

    /// <summary>Reports whether a duration is shorter than another.</summary>
    /// <param name="left">A duration.</param>
    /// <param name="right">Another duration.</param>
    public static bool operator <(Duration left, Duration right) => left.CompareTo(right) < 0;

    /// <summary>Reports whether a duration is longer than another.</summary>
    /// <param name="left">A duration.</param>
    /// <param name="right">Another duration.</param>
    public static bool operator >(Duration left, Duration right) => left.CompareTo(right) > 0;

    /// <summary>Reports whether a duration is at most as long as another.</summary>
    /// <param name="left">A duration.</param>
    /// <param name="right">Another duration.</param>
    public static bool operator <=(Duration left, Duration right) => left.CompareTo(right) <= 0;

    /// <summary>Reports whether a duration is at least as long as another.</summary>
    /// <param name="left">A duration.</param>
    /// <param name="right">Another duration.</param>
    public static bool operator >=(Duration left, Duration right) => left.CompareTo(right) >= 0;

    /// <summary>Converts from a <see cref="TimeSpan"/>.</summary>
    /// <param name="span">The span.</param>
    /// <returns>The duration.</returns>
    public static Duration FromTimeSpan(TimeSpan span) =>
        new(span.Ticks / TimeSpan.TicksPerSecond, (int)(span.Ticks % TimeSpan.TicksPerSecond) * 100);

    /// <summary>Converts to a <see cref="TimeSpan"/>, which has a precision of 100 nanoseconds.</summary>
    /// <returns>The time span.</returns>
    public TimeSpan ToTimeSpan() => new((Seconds * TimeSpan.TicksPerSecond) + (Nanos / 100));

    /// <inheritdoc/>
    public int CompareTo(Duration other) =>
        Seconds == other.Seconds ? Nanos.CompareTo(other.Nanos) : Seconds.CompareTo(other.Seconds);

    /// <summary>Returns the duration in seconds, such as <c>1.500s</c>.</summary>
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
        return seconds > Longest
            ? throw new ValueProblem("the duration exceeds 10,000 years")
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
