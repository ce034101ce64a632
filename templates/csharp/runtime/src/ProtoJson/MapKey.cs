using System.Globalization;
using System.Numerics;
using System.Text;

namespace Svc.Runtime;

/// <summary>The codec of map keys, which are strings in JSON.</summary>
internal sealed class MapKey<T>(Func<string, T> parse, Func<T, string> format)
    where T : notnull
{
    internal T Parse(string text) => parse(text);

    internal string Format(T key) => format(key);
}

/// <summary>The codecs of map key types.</summary>
internal static class MapKeys
{
    internal static readonly MapKey<string> String = new(static text => text, JsonText.Check);

    internal static readonly MapKey<bool> Bool = new(
        static text => text switch
        {
            "true" => true,
            "false" => false,
            _ => throw new ValueProblem("expected true or false as key"),
        },
        static key => key ? "true" : "false");

    internal static readonly MapKey<int> Int32 = Integer<int>();

    internal static readonly MapKey<long> Int64 = Integer<long>();

    internal static readonly MapKey<uint> UInt32 = Integer<uint>();

    internal static readonly MapKey<ulong> UInt64 = Integer<ulong>();

    private static MapKey<T> Integer<T>()
        where T : struct, IBinaryInteger<T> => new(
            static text => NumberText.ParseInteger<T>(Encoding.UTF8.GetBytes(text)),
            static key => key.ToString(null, CultureInfo.InvariantCulture));
}
