using System.Globalization;

namespace Svc.Runtime;

/// <summary>The retry policy.</summary>
internal static class RetryPolicy
{
    /// <summary>The longest <c>Retry-After</c> that a call honours. A longer one fails the call.</summary>
    private static readonly TimeSpan LongestAsked = TimeSpan.FromMinutes(1);

    /// <summary>The shortest <c>Retry-After</c> of a 429 that does not count as a retry.</summary>
    private static readonly TimeSpan ShortestPace = TimeSpan.FromSeconds(1);

    /// <summary>The number of retries after which the delay no longer doubles, to avoid overflow.</summary>
    private const int MostDoublings = 64;

    /// <summary>
    /// Reports whether the service asks the client to slow down. Such retries are part of normal operation. A <c>Retry-After</c> below a
    /// second counts as a failure; otherwise, a call could retry indefinitely in a tight loop.
    /// </summary>
    internal static bool IsPaced(SvcException failure) =>
        failure is { Status: 429, RetryAfter: { } asked } && asked >= ShortestPace;

    /// <summary>
    /// Reports whether a failure is transient. A failure with a <c>Retry-After</c> that is too long to honour is not, nor is an exhausted
    /// quota without one.
    /// </summary>
    internal static bool MayPass(SvcException failure) => failure switch
    {
        ConnectionException connection => !connection.IsOfHandler,
        CallTimeoutException timeout => timeout.IsOfAttempt,
        StatusException when failure.RetryAfter > LongestAsked => false,
        QuotaExceededException { RetryAfter: null } => false,
        StatusException => failure.Status is 408 or 429 or >= 500,
        _ => false,
    };

    /// <summary>
    /// Returns the delay before a retry, where 1 is the first; null if the call should fail immediately, because the delay would exceed
    /// the deadline or <c>Retry-After</c> is too long.
    /// </summary>
    internal static TimeSpan? DelayBefore(int retry, SvcException failure, Settings settings, TimeSpan timeLeft)
    {
        var bound = TimeSpan.FromMilliseconds(Math.Min(
            settings.RetryDelay.TotalMilliseconds * Math.Pow(2, Math.Min(retry, MostDoublings) - 1),
            settings.MaxRetryDelay.TotalMilliseconds));
        if (failure.RetryAfter is { } asked)
        {
            // Jitter keeps clients that were rejected together from retrying together, even if Retry-After is 0 or in the past.
            var least = Smallest(bound, ShortestPace);
            var jitter = Smallest(asked > least ? asked : least, settings.MaxRetryDelay, timeLeft - asked);
            return asked <= LongestAsked && asked < timeLeft ? asked + (jitter * Random.Shared.NextDouble()) : null;
        }

        var delay = Random.Shared.NextDouble() * bound;
        return delay < timeLeft ? delay : null;
    }

    /// <summary>Returns the delay before a poll: between half of the maximum and the maximum, or longer if the service asks for it.</summary>
    internal static TimeSpan DelayOfPoll(TimeSpan longest, TimeSpan? asked = null)
    {
        var least = asked > longest / 2 ? asked.Value : longest / 2;
        return least + (longest / 2 * Random.Shared.NextDouble());
    }

    /// <summary>Parses a <c>Retry-After</c> header: seconds or a date.</summary>
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

    /// <summary>Converts seconds to a time span, capped to avoid overflow.</summary>
    internal static TimeSpan? SecondsToWait(double seconds) =>
        seconds >= 0 ? TimeSpan.FromSeconds(Math.Min(seconds, 1e9)) : null;

    internal static TimeSpan Smallest(params TimeSpan[] spans) => spans.Min();
}
