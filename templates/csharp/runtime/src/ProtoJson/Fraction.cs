using System.Globalization;

namespace Svc.Runtime;

/// <summary>Nanoseconds as a decimal fraction.</summary>
internal static class Fraction
{
    internal const int LargestNanos = 999_999_999;

    /// <summary>Formats a fraction with 0, 3, 6 or 9 digits.</summary>
    internal static string Print(int nanos)
    {
        if (nanos == 0)
        {
            return "";
        }

        var digits = nanos.ToString("D9", CultureInfo.InvariantCulture);
        return $".{(nanos % 1_000_000 == 0 ? digits[..3] : nanos % 1_000 == 0 ? digits[..6] : digits)}";
    }

    /// <summary>Parses at most nine digits.</summary>
    internal static int Parse(string digits) =>
        digits.Length == 0 ? 0 : int.Parse(digits.PadRight(9, '0'), CultureInfo.InvariantCulture);
}
