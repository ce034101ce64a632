using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Xunit;

namespace Svc.Runtime.Tests;

public class JsonSerializerTests
{
    [Fact]
    public void TypesAreProtoJson()
    {
        var stay = new Stay
        {
            From = new Timestamp(1769851800, 1),
            Length = new Duration(315_576_000_000, 999_999_999),
            Mask = new FieldMask("a.b", "c"),
            Extra = Value.Null,
            Guest = new Guest { Name = "Ada", Mood = new Mood("CHEERFUL") },
        };
        const string Text = """
            {"From":"2026-01-31T09:30:00.000000001Z","Length":"315576000000.999999999s","Mask":"a.b,c","Extra":null,"Guest":{"name":"Ada","mood":"GLAD"}}
            """;
        Assert.Equal(Text, JsonSerializer.Serialize(stay));
        Assert.Equal(stay, JsonSerializer.Deserialize<Stay>(Text));
    }

    [Fact]
    public void InvalidJsonIsAJsonException()
    {
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<Timestamp>("\"2026-01-31t09:30:00z\""));
        var problem = Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<Stay>("""{"Guest":{"name":1}}"""));
        Assert.Contains("Guest: name: expected a string, got a number", problem.Message, StringComparison.Ordinal);
        Assert.Throws<JsonException>(() => JsonSerializer.Serialize(new Guest { Name = "half of a pair: \ud83d" }));
    }

    [Fact]
    public void KeysOfDictionariesAreProtoJson()
    {
        var moods = new Dictionary<Mood, int> { [new Mood("GLAD")] = 1, [new Mood("7")] = 2 };
        Assert.Equal("""{"GLAD":1,"7":2}""", JsonSerializer.Serialize(moods));
        Assert.Equal(moods, JsonSerializer.Deserialize<Dictionary<Mood, int>>("""{"CHEERFUL":1,"7":2}"""));
        var times = new Dictionary<Timestamp, Duration> { [new Timestamp(1)] = new Duration(2) };
        Assert.Equal("""{"1970-01-01T00:00:01Z":"2s"}""", JsonSerializer.Serialize(times));
        Assert.Equal(times, JsonSerializer.Deserialize<Dictionary<Timestamp, Duration>>("""{"1970-01-01T00:00:01Z":"2s"}"""));
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<Dictionary<Timestamp, int>>("""{"today":1}"""));
        Assert.Throws<NotSupportedException>(() => JsonSerializer.Serialize(new Dictionary<Guest, int> { [new Guest()] = 1 }));
    }

    [Fact]
    public void TimesConvertBack()
    {
        var noon = new DateTimeOffset(2026, 1, 31, 12, 0, 0, TimeSpan.Zero);
        Assert.Equal(noon, (DateTimeOffset)(Timestamp)noon);
        Assert.Equal(TimeSpan.FromHours(1), (TimeSpan)(Duration)TimeSpan.FromHours(1));
    }

    [Fact]
    public void NullsAreRefused()
    {
        AssertRefused(new Guest { Name = null! }, "Guest: name: expected a string, got null");
        AssertRefused(new Guest { Tags = null! }, "Guest: tags: expected a list, got null");
        AssertRefused(new Guest { Tags = ["a", null!] }, "Guest: tags[1]: expected a string, got null");
        AssertRefused(new Guest { Friends = null! }, "Guest: friends: expected an object, got null");

        static void AssertRefused(Guest guest, string message)
        {
            Assert.Equal(message, Assert.Throws<ValueException>(() => ProtoJson.Message<Guest>().Format(guest)).Message);
            Assert.NotEqual(new Guest(), guest);
            Assert.NotEqual(guest, new Guest());
            Assert.Equal(guest with { }, guest);
            Assert.Equal((guest with { }).GetHashCode(), guest.GetHashCode());
        }
    }

    [Fact]
    public void ListsAndMapsAreCopied()
    {
        var tags = new List<string> { "a" };
        var friends = new Dictionary<string, Guest> { ["Bob"] = new() };
        var guest = new Guest { Tags = tags, Friends = friends };
        var hash = guest.GetHashCode();
        tags.Add("b");
        friends["Ann"] = new();
        Assert.Equal(["a"], guest.Tags);
        Assert.Equal(["Bob"], guest.Friends.Keys);
        Assert.Equal(hash, guest.GetHashCode());
    }

    [Fact]
    public void ListsAndMapsCannotBeChanged()
    {
        const string json = """{"friends":{"Bob":{}},"tags":["a"]}""";
        var made = new Guest { Tags = ["a"], Friends = new Dictionary<string, Guest> { ["Bob"] = new() } };
        foreach (var guest in new[] { made, ProtoJson.Message<Guest>().Parse(json) })
        {
            Assert.Throws<NotSupportedException>(() => ((IList<string>)guest.Tags)[0] = "b");
            Assert.Throws<NotSupportedException>(() => ((IDictionary<string, Guest>)guest.Friends).Clear());
            Assert.Equal(json, ProtoJson.Message<Guest>().Format(guest));
        }
    }

    [Theory]
    [InlineData("""{"name":"a","name":"b"}""")]
    [InlineData("""{"mood":0,"the_mood":1}""")]
    public void FieldsGivenTwiceAreRefused(string json)
    {
        var problem = Assert.Throws<ValueException>(() => ProtoJson.Message<Guest>().Parse(json));
        Assert.Contains("given more than once", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AliasesAreEqual()
    {
        Assert.Equal(new Mood("GLAD"), new Mood("CHEERFUL"));
        Assert.Equal(new Mood("GLAD").GetHashCode(), new Mood("1").GetHashCode());
        Assert.Equal("\"GLAD\"", ProtoJson.Enum<Mood>().Format(ProtoJson.Enum<Mood>().Parse("\"CHEERFUL\"")));
        Assert.Equal("7", ProtoJson.Enum<Mood>().Format(new Mood("7")));
        Assert.Equal("\"SAD\"", ProtoJson.Enum<Mood>().Format(new Mood("SAD")));
    }

    [Fact]
    public void DurationsHaveTheRangeOfTheService()
    {
        foreach (var text in new[] { "315576000000.999999999s", "-315576000000.999999999s" })
        {
            Assert.Equal(text, Duration.Read(text).ToString());
        }

        Assert.Throws<ValueException>(() => ProtoJson.Duration.Parse("\"315576000001s\""));
        Assert.Throws<ArgumentOutOfRangeException>(() => new Duration(long.MinValue));
    }

    [Fact]
    public void ValuesMayBeInSeveralSegments()
    {
        var reader = new Utf8JsonReader(InSegments("""{"Guest":{"name":"Ada","mood":1234567},"Extra":-12.5}"""));
        var stay = JsonSerializer.Deserialize<Stay>(ref reader);
        Assert.Equal(new Guest { Name = "Ada", Mood = new Mood("1234567") }, stay?.Guest);
        Assert.Equal("-12.5", ProtoJson.Value.Format(stay!.Extra!));
    }

    [Fact]
    public async Task UnknownFieldsOfStreamsAreIgnored()
    {
        using var json = new MemoryStream(
            """[{"name":"Ada","unknown":{"list":[1]},"mood":1},{"unknown":1,"name":"Ben"}]"""u8.ToArray());
        var options = new JsonSerializerOptions { DefaultBufferSize = 1 };
        Guest[] expected = [new() { Name = "Ada", Mood = new Mood("GLAD") }, new() { Name = "Ben" }];
        Assert.Equal(expected, await JsonSerializer.DeserializeAsync<Guest[]>(json, options));
        using var empties = new MemoryStream("""[{"unknown":{"list":[1]}},{}]"""u8.ToArray());
        Assert.Equal<Empty[]>([new(), new()], await JsonSerializer.DeserializeAsync<Empty[]>(empties, options));
    }

    [Fact]
    public void UnknownFieldsAreRefusedIfAsked()
    {
        var codec = ProtoJson.Message<Guest>();
        const string Known = """{"name":"Ada","the_mood":1,"friends":{"a":{"mood":1}},"extra":{"any":{"thing":1}}}""";
        Assert.Equal(codec.Parse(Known), codec.ParseStrict(Known));
        AssertUnknown(codec, """{"too":1}""", "Guest: too: unknown field");
        AssertUnknown(codec, """{"friends":{"a":{"nme":"Ben"}}}""", "Guest: friends.a.nme: unknown field");
        AssertUnknown(ProtoJson.Empty, """{"a":{}}""", "Empty: a: unknown field");
    }

    private static void AssertUnknown<T>(Codec<T> codec, string json, string message)
    {
        Assert.Equal(message, Assert.Throws<ValueException>(() => codec.ParseStrict(json)).Message);
        codec.Parse(json);
    }

    [Fact]
    public void NullArgumentsAreRefused()
    {
        Assert.Throws<ArgumentNullException>(() => ProtoJson.StringValue.Parse((string)null!));
        Assert.Throws<ArgumentNullException>(() => ProtoJson.StringValue.Format(null!));
    }

    /// <summary>A sequence with a segment for each byte.</summary>
    private static ReadOnlySequence<byte> InSegments(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        var first = new Segment(bytes.AsMemory(0, 1), 0);
        var last = first;
        for (var at = 1; at < bytes.Length; at++)
        {
            last = last.Append(bytes.AsMemory(at, 1));
        }

        return new ReadOnlySequence<byte>(first, 0, last, 1);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(ReadOnlyMemory<byte> memory, long index)
        {
            Memory = memory;
            RunningIndex = index;
        }

        internal Segment Append(ReadOnlyMemory<byte> memory)
        {
            var next = new Segment(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }

    [Fact]
    public void CasesOfAOneofClearEachOther()
    {
        var guest = new Guest { Name = "Ann", Room = "7" };
        var outside = guest with { Tent = 3 };
        Assert.Equal((null, 3, "Ann"), (outside.Room, outside.Tent, outside.Name));
        var inside = outside with { Room = "8" };
        Assert.Equal(("8", null), (inside.Room, inside.Tent));
        var unchanged = inside with { Tent = null };
        Assert.Equal(("8", null), (unchanged.Room, unchanged.Tent));
        Assert.Equal("7", guest.Room);
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<Guest>("""{"room":"7","tent":3}"""));
    }

    public sealed record Stay
    {
        public Timestamp From { get; init; }

        public Duration Length { get; init; }

        public FieldMask? Mask { get; init; }

        public Value Extra { get; init; }

        public Guest? Guest { get; init; }
    }

    /// <summary>A message as the generator writes it.</summary>
    [JsonConverter(typeof(ProtoJsonConverter<Guest>))]
    public sealed record Guest : IMessage<Guest>
    {
        private static readonly MessageType<Guest> Type = new(
            static () => new(),
            [
                Fields.Single("name", "name", ProtoJson.StringValue, static (Guest m) => ref m._name),
                Fields.Single("mood", "the_mood", ProtoJson.Enum<Mood>(), static (Guest m) => ref m._mood),
                Fields.Optional("room", "room", ProtoJson.StringValue, static (Guest m) => ref m._room, "place"),
                Fields.OptionalValue("tent", "tent", ProtoJson.Int32Value, static (Guest m) => ref m._tent, "place"),
                Fields.Map("friends", "friends", MapKeys.String, ProtoJson.Message<Guest>(), static (Guest m) => ref m._friends),
                Fields.List("tags", "tags", ProtoJson.StringValue, static (Guest m) => ref m._tags),
                Fields.Optional("extra", "extra", ProtoJson.Struct, static (Guest m) => ref m._extra),
            ]);

        private string _name = "";
        private Mood _mood;
        private string? _room;
        private int? _tent;
        private IReadOnlyDictionary<string, Guest> _friends = new Dictionary<string, Guest>();
        private IReadOnlyList<string> _tags = [];
        private JsonObject? _extra;

        public string Name { get => _name; init => _name = value; }

        public Mood Mood { get => _mood; init => _mood = value; }

        public string? Room { get => _room; init => _room = Type.CaseOf(this, "place", value); }

        public int? Tent { get => _tent; init => _tent = Type.CaseOf(this, "place", value); }

        public IReadOnlyDictionary<string, Guest> Friends { get => _friends; init => _friends = Fields.Copy(value); }

        public IReadOnlyList<string> Tags { get => _tags; init => _tags = Fields.Copy(value); }

        static MessageType<Guest> IMessage<Guest>.Descriptor => Type;

        static Codec<Guest> IProtoJson<Guest>.Codec => ProtoJson.Message<Guest>();

        public bool Equals(Guest? other) => Type.AreEqual(this, other);

        public override int GetHashCode() => Type.HashOf(this);
    }

    [Fact]
    public void StatusesAndEventTypesAreWrittenAsTheirNames()
    {
        var values = new Dictionary<ExecutionEventType, (ExecutionStatus, PauseStatus)> { ["NODE_LOG"] = ("NEW", default) };
        var options = new JsonSerializerOptions { IncludeFields = true };
        var json = JsonSerializer.Serialize(values, options);
        Assert.Equal("""{"NODE_LOG":{"Item1":"NEW","Item2":"WAITING"}}""", json);
        Assert.Equal(values, JsonSerializer.Deserialize<Dictionary<ExecutionEventType, (ExecutionStatus, PauseStatus)>>(json, options));
        Assert.Equal("\"\"", JsonSerializer.Serialize(default(ExecutionEventType)));
        Assert.Equal(default, JsonSerializer.Deserialize<ExecutionEventType>("\"\""));
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<ExecutionStatus>("7"));
    }

    /// <summary>An enum as the generator writes it.</summary>
    [JsonConverter(typeof(ProtoJsonConverter<Mood>))]
    public readonly record struct Mood(string Given) : IOpenEnum<Mood>
    {
        private static readonly EnumTable Table = new([("CALM", 0), ("GLAD", 1), ("CHEERFUL", 1)]);

        private readonly string? _text = Table.Normalize(Given);

        static EnumTable IOpenEnum<Mood>.Descriptor => Table;

        static Codec<Mood> IProtoJson<Mood>.Codec => ProtoJson.Enum<Mood>();

        string IOpenEnum<Mood>.Text => _text ?? Table.Default;

        static Mood IOpenEnum<Mood>.FromText(string text) => new(text);

        public bool Equals(Mood other) => _text == other._text;

        public override int GetHashCode() => _text?.GetHashCode(StringComparison.Ordinal) ?? 0;
    }
}
