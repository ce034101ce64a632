using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace Svc.Runtime;

/// <summary>
/// A point in time in the years 1 to 9999 with nanosecond precision, in UTC: <c>google.protobuf.Timestamp</c>. Converts
/// implicitly from <see cref="DateTimeOffset"/>.
/// </summary>
[JsonConverter(typeof(ProtoJsonConverter<Timestamp>))]
public readonly partial record struct Timestamp : IComparable<Timestamp>, IProtoJson<Timestamp>
{
    private const long Earliest = -62_135_596_800;
    private const long Latest = 253_402_300_799;

    /// <summary>Creates a timestamp.</summary>
    /// <param name="seconds">Seconds since 1970.</param>
    /// <param name="nanos">Nanoseconds within the second, 0 to 999,999,999.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    public Timestamp(long seconds, int nanos = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(seconds, Earliest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(seconds, Latest);
        ArgumentOutOfRangeException.ThrowIfNegative(nanos);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(nanos, Fraction.LargestNanos);
        Seconds = seconds;
        Nanos = nanos;
    }

    /// <summary>Seconds since 1970.</summary>
    public long Seconds { get; }

    /// <summary>Nanoseconds within the second.</summary>
    public int Nanos { get; }

    static Codec<Timestamp> IProtoJson<Timestamp>.Codec => ProtoJson.Timestamp;

    /// <summary>Converts from a <see cref="DateTimeOffset"/>. Drops its offset.</summary>
    /// <param name="time">The time.</param>
    public static implicit operator Timestamp(DateTimeOffset time) => FromDateTimeOffset(time);

    /// <summary>Converts to a <see cref="DateTimeOffset"/>, which has a precision of 100 nanoseconds.</summary>
    /// <param name="time">The time.</param>
    public static explicit operator DateTimeOffset(Timestamp time) => time.ToDateTimeOffset();

    /// <summary>Reports whether a time is before another.</summary>
    /// <param name="left">A time.</param>
    /// <param name="right">Another time.</param>
    public static bool operator <(Timestamp left, Timestamp right) => left.CompareTo(right) < 0;

    /// <summary>Reports whether a time is after another.</summary>
    /// <param name="left">A time.</param>
    /// <param name="right">Another time.</param>
    public static bool operator >(Timestamp left, Timestamp right) => left.CompareTo(right) > 0;

    /// <summary>Reports whether a time is at or before another.</summary>
    /// <param name="left">A time.</param>
    /// <param name="right">Another time.</param>
    public static bool operator <=(Timestamp left, Timestamp right) => left.CompareTo(right) <= 0;

    /// <summary>Reports whether a time is at or after another.</summary>
    /// <param name="left">A time.</param>
    /// <param name="right">Another time.</param>
    public static bool operator >=(Timestamp left, Timestamp right) => left.CompareTo(right) >= 0;

    /// <summary>Converts from a <see cref="DateTimeOffset"/>. Drops its offset.</summary>
    /// <param name="time">The time.</param>
    /// <returns>The same point in time.</returns>
    public static Timestamp FromDateTimeOffset(DateTimeOffset time)
    {
        var ticks = time.UtcTicks - DateTimeOffset.UnixEpoch.UtcTicks;
        var seconds = Math.DivRem(ticks, TimeSpan.TicksPerSecond, out var rest);
        return rest < 0
            ? new Timestamp(seconds - 1, (int)(rest + TimeSpan.TicksPerSecond) * 100)
            : new Timestamp(seconds, (int)rest * 100);
    }

    /// <summary>Converts to a <see cref="DateTimeOffset"/>, which has a precision of 100 nanoseconds.</summary>
    /// <returns>The time in UTC.</returns>
    public DateTimeOffset ToDateTimeOffset() =>
        DateTimeOffset.UnixEpoch.AddTicks((Seconds * TimeSpan.TicksPerSecond) + (Nanos / 100));

    /// <inheritdoc/>
    public int CompareTo(Timestamp other) =>
        Seconds == other.Seconds ? Nanos.CompareTo(other.Nanos) : Seconds.CompareTo(other.Seconds);

    /// <summary>Returns the time in RFC 3339, such as <c>2026-01-31T09:30:00.500Z</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        var whole = DateTimeOffset.UnixEpoch.AddTicks(Seconds * TimeSpan.TicksPerSecond);
        return $"{whole.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture)}{Fraction.Print(Nanos)}Z";
    }

    internal static Timestamp Read(string text)
    {
        var match = Form().Match(text);
        if (!match.Success)
        {
            throw new ValueProblem($"expected a timestamp such as 2026-01-31T12:00:00Z, got \"{text}\"");
        }

        if (!DateTimeOffset.TryParseExact(
            match.Groups[1].ValueSpan,
            "yyyy-MM-dd'T'HH:mm:ss",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var local))
        {
            throw new ValueProblem("invalid date or time");
        }

        var seconds = local.ToUnixTimeSeconds() - OffsetOf(match.Groups[3].Value);
        return seconds is < Earliest or > Latest
            ? throw new ValueProblem("the timestamp is outside the years 1 to 9999")
            : new Timestamp(seconds, Fraction.Parse(match.Groups[2].Value));
    }

    private static int OffsetOf(string zone)
    {
        if (zone == "Z")
        {
            return 0;
        }

        var hours = int.Parse(zone.AsSpan(1, 2), CultureInfo.InvariantCulture);
        var minutes = int.Parse(zone.AsSpan(4, 2), CultureInfo.InvariantCulture);
        return hours > 23 || minutes > 59
            ? throw new ValueProblem("invalid UTC offset")
            : (zone[0] == '-' ? -60 : 60) * ((hours * 60) + minutes);
    }

    [GeneratedRegex(@"\A([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:[0-9]{2})\z")]
    private static partial Regex Form();
}

internal sealed class TimestampCodec() : Codec<Timestamp>("Timestamp")
{
    internal override Timestamp Read(ref Utf8JsonReader reader) => reader.TokenType == JsonTokenType.String
        ? Timestamp.Read(JsonText.TextOf(ref reader))
        : throw ValueProblem.Expected("a timestamp such as 2026-01-31T12:00:00Z", reader.TokenType);

    internal override void Write(Utf8JsonWriter writer, Timestamp value) => writer.WriteStringValue(value.ToString());
}
