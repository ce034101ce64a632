using System.Globalization;

namespace Svc.Runtime;

/// <summary>Which failures are tried again, and when.</summary>
internal static class RetryPolicy
{
    /// <summary>How long the service may ask to wait; a call that should wait longer fails at once.</summary>
    private static readonly TimeSpan LongestAsked = TimeSpan.FromMinutes(1);

    /// <summary>Whether another attempt may succeed.</summary>
    internal static bool MayPass(SvcException failure) => failure switch
    {
        ConnectionException => true,
        StatusException => failure.Status is 408 or 429 or >= 500,
        _ => false,
    };

    /// <summary>The wait before a retry, counted from 1; null when it is more than a call has patience for.</summary>
    internal static TimeSpan? DelayBefore(int retry, SvcException failure, Settings settings)
    {
        if (failure.RetryAfter is { } asked)
        {
            return asked <= LongestAsked ? asked : null;
        }

        var bound = Math.Min(
            settings.RetryDelay.TotalMilliseconds * Math.Pow(2, retry - 1),
            settings.MaxRetryDelay.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(Random.Shared.NextDouble() * bound);
    }

    /// <summary>Reads the header <c>Retry-After</c>, seconds or a date.</summary>
    internal static TimeSpan? ParseRetryAfter(string? header)
    {
        var text = header?.Trim() ?? "";
        if (text.Length > 0 && char.IsAsciiDigit(text[0])
            && double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds))
        {
            return SecondsToWait(seconds);
        }

        var isDate = DateTimeOffset.TryParseExact(
            text,
            "r",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var date);
        return isDate ? TimeSpan.FromTicks(Math.Max(0, (date - DateTimeOffset.UtcNow).Ticks)) : null;
    }

    /// <summary>Turns seconds into a span; a wait beyond all patience is cut.</summary>
    internal static TimeSpan? SecondsToWait(double seconds) =>
        seconds >= 0 ? TimeSpan.FromSeconds(Math.Min(seconds, 1e9)) : null;
}
