using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

public class ProtoJsonTests
{
    [Fact]
    public void IntegersAreExact()
    {
        AssertBoth(ProtoJson.Int64Value, long.MinValue, "\"-9223372036854775808\"");
        AssertBoth(ProtoJson.UInt64Value, ulong.MaxValue, "\"18446744073709551615\"");
        AssertBoth(ProtoJson.Int32Value, int.MaxValue, "2147483647");
        Assert.Equal(9007199254740993, ProtoJson.Int64Value.Parse("9007199254740993"));
        Assert.Equal(1000, ProtoJson.Int32Value.Parse("1e3"));
        Assert.Equal(1, ProtoJson.Int32Value.Parse("\"1.0\""));
        Refuses(ProtoJson.Int32Value, "2147483648", "1.5", "1e-99", "1e999", "\"\"", "\"+1\"", "\" 1\"", "\"1_0\"", "true", "null");
        Refuses(ProtoJson.UInt64Value, "-1", "\"18446744073709551616\"");
    }

    [Fact]
    public void FloatsAreExact()
    {
        AssertBoth(ProtoJson.DoubleValue, double.NaN, "\"NaN\"");
        AssertBoth(ProtoJson.DoubleValue, double.NegativeInfinity, "\"-Infinity\"");
        AssertBoth(ProtoJson.DoubleValue, 5e-324, "5E-324");
        AssertBoth(ProtoJson.FloatValue, 0.1f, "0.1");
        AssertBoth(ProtoJson.FloatValue, float.MaxValue, "3.4028235E+38");
        Assert.Equal("-0", ProtoJson.DoubleValue.Format(-0.0));
        Refuses(ProtoJson.FloatValue, "3.5e38", "\"1e39\"", "\"nan\"", "\".5\"", "\"5.\"");
        Refuses(ProtoJson.DoubleValue, "1e999");
    }

    [Fact]
    public void BytesTakeBothAlphabets()
    {
        Assert.Equal(new byte[] { 251, 255 }, ProtoJson.BytesValue.Parse("\"-_8\"").ToArray());
        Assert.Equal(new byte[] { 251, 255 }, ProtoJson.BytesValue.Parse("\"+/8=\"").ToArray());
        Assert.Equal("\"+/8=\"", ProtoJson.BytesValue.Format(new byte[] { 251, 255 }));
        Refuses(ProtoJson.BytesValue, "\"a b\"", "\"A\"", "\"====\"", "7");
    }

    [Fact]
    public void TimesAreExactToTheNanosecond()
    {
        AssertBoth(ProtoJson.Timestamp, new Timestamp(1769851800, 1), "\"2026-01-31T09:30:00.000000001Z\"");
        AssertBoth(ProtoJson.Timestamp, new Timestamp(-62135596800), "\"0001-01-01T00:00:00Z\"");
        AssertBoth(ProtoJson.Timestamp, new Timestamp(253402300799, 999999999), "\"9999-12-31T23:59:59.999999999Z\"");
        Assert.Equal(new Timestamp(1769851800), ProtoJson.Timestamp.Parse("\"2026-01-31T10:30:00+01:00\""));
        Assert.Equal("1969-12-31T23:59:59.500Z", Timestamp.FromDateTimeOffset(DateTimeOffset.UnixEpoch.AddMilliseconds(-500)).ToString());
        Refuses(ProtoJson.Timestamp, "\"2026-02-30T00:00:00Z\"", "\"9999-12-31T23:59:59-00:01\"", "\"2026-01-31\"", "\"2026-01-31T09:30:00Z\\n\"", "0");
        Assert.Throws<ArgumentOutOfRangeException>(() => new Timestamp(253402300800));
    }

    [Fact]
    public void DurationsAreExactToTheNanosecond()
    {
        AssertBoth(ProtoJson.Duration, new Duration(-1, -500_000_000), "\"-1.500s\"");
        AssertBoth(ProtoJson.Duration, new Duration(0, -1), "\"-0.000000001s\"");
        AssertBoth(ProtoJson.Duration, new Duration(315_576_000_000), "\"315576000000s\"");
        Assert.Equal(new Duration(1, 500_000_000), (Duration)TimeSpan.FromSeconds(1.5));
        Refuses(ProtoJson.Duration, "\"315576000001s\"", "\"1\"", "\"1.s\"", "\"1.0000000001s\"");
        Assert.Throws<ArgumentOutOfRangeException>(() => new Duration(1, -1));
    }

    [Fact]
    public void ArbitraryJsonIsPreserved()
    {
        const string Text = """{"list":[1,"two",null,true,{"a":[]}],"number":1.5,"large":9007199254740993}""";
        Assert.Equal(Text, ProtoJson.Struct.Format(ProtoJson.Struct.Parse(Text)));
        Assert.Equal("null", ProtoJson.Value.Format(Value.Null));
        Assert.Equal(Value.Null, ProtoJson.Value.Parse("null"));
        Assert.Equal("ship \ud83d\udea2", ProtoJson.StringValue.Parse(ProtoJson.StringValue.Format("ship \ud83d\udea2")));
        Assert.Equal((Value)"text", ProtoJson.Value.Parse("\"text\""));
        Assert.NotEqual((Value)"text", ProtoJson.Value.Parse("\"other\""));
        Assert.Equal((Value)9007199254740993, ProtoJson.Value.Parse("9007199254740993"));
        Assert.Equal((Value)1, ProtoJson.Value.Parse("1"));
        Assert.Equal("18446744073709551615", ProtoJson.Value.Format(ulong.MaxValue));
        Assert.Equal((Value)ulong.MaxValue, ProtoJson.Value.Parse("18446744073709551615"));
        Assert.Equal((7L, 7L), (((Value)7).Node!.GetValue<long>(), ((Value)7UL).Node!.GetValue<long>()));
        Assert.Equal((Value)(byte)1, (Value)1u);
        Assert.Equal((Value)1.5f, ProtoJson.Value.Parse("1.5"));
        Refuses(ProtoJson.Struct, "[]", "null", "{} {}", "{\"a\":1", "{\"a\":\"\\ud800\"}");
        const string Untyped = """{"name":"no type"}""";
        Assert.Equal(Untyped, ProtoJson.Any.Format(ProtoJson.Any.Parse(Untyped)));
    }

    [Fact]
    public void HalfOfASurrogatePairIsRefused()
    {
        foreach (var text in new[] { "\ud83d", "ship \ud83d\udea2, half \udea2" })
        {
            Assert.Throws<ValueException>(() => ProtoJson.StringValue.Format(text));
            Assert.Throws<ValueException>(() => ProtoJson.Value.Format(text));
            Assert.Throws<ValueException>(() => ProtoJson.Struct.Format(new JsonObject { [text] = 1 }));
        }

        const string Half = "\"\\ud83d\"";
        Refuses(ProtoJson.StringValue, Half);
        Refuses(ProtoJson.DoubleValue, Half);
        Refuses(ProtoJson.NullValue, Half);
        Refuses(MessageCodec<JsonSerializerTests.Guest>.Instance, $"{{{Half}:1}}", $"{{\"name\":\"a\",{Half}:1}}");
    }

    [Theory]
    [InlineData("""{"a":1,"a":2}""")]
    [InlineData("""{"a":[{"\ud83d":1}]}""")]
    [InlineData("""{"a":"\ud83d"}""")]
    public void ParsedNodesThatAreInvalidAreRefused(string json)
    {
        var node = JsonNode.Parse(json)!.AsObject();
        Assert.Throws<ValueException>(() => ProtoJson.Struct.Format(node));
        Assert.Throws<ValueException>(() => ProtoJson.Value.Format(node));
        Assert.Throws<ValueException>(() => PauseDecision.FromJson(node));
        Assert.StartsWith("(Value: ", new Value(node).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void NestingIsLimited()
    {
        Refuses(ProtoJson.Value, new string('[', 10_000) + new string(']', 10_000));
        var deep = new JsonArray();
        for (var level = 0; level < 1_000; level++)
        {
            deep = new JsonArray(deep);
        }

        Assert.Contains("nested", Assert.Throws<ValueException>(() => ProtoJson.ListValue.Format(deep)).Message, StringComparison.Ordinal);
    }

    private static void AssertBoth<T>(Codec<T> codec, T value, string json)
    {
        Assert.Equal(json, codec.Format(value));
        Assert.Equal(value, codec.Parse(json));
    }

    private static void Refuses<T>(Codec<T> codec, params string[] texts)
    {
        foreach (var text in texts)
        {
            Assert.Throws<ValueException>(() => codec.Parse(text));
        }
    }
}
