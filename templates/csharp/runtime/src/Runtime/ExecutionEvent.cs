using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Something that happened in an execution. New types come without notice.</summary>
public sealed class ExecutionEvent
{
    internal ExecutionEvent(JsonElement raw)
    {
        Type = Answers.TextOf(raw, "type") ?? "";
        Ulid = Answers.TextOf(raw, "event_ulid") ?? "";
        NodeName = Answers.TextOf(raw, "node_name");
        Input = raw.TryGetProperty("input", out var input) ? input : null;
        Output = raw.TryGetProperty("output", out var output) ? output : null;
        Raw = raw;
        if (raw.TryGetProperty("timestamp_ms", out var time) && time.ValueKind == JsonValueKind.Number
            && time.TryGetInt64(out var milliseconds) && Math.Abs(milliseconds) < LatestTime)
        {
            Time = DateTimeOffset.FromUnixTimeMilliseconds(milliseconds);
        }
    }

    /// <summary>What happened: <c>NODE_STARTED</c>, <c>NODE_COMPLETED</c>, <c>FLOW_COMPLETED</c> and so on.</summary>
    public string Type { get; }

    /// <summary>Unique, and in the order of time.</summary>
    public string Ulid { get; }

    /// <summary>When it happened, to the millisecond.</summary>
    public DateTimeOffset Time { get; } = DateTimeOffset.UnixEpoch;

    /// <summary>The placement in the flow that the event is of.</summary>
    public string? NodeName { get; }

    /// <summary>The message that went in, as JSON, where the event carries one.</summary>
    public JsonElement? Input { get; }

    /// <summary>The message that came out, as JSON, where the event carries one.</summary>
    public JsonElement? Output { get; }

    /// <summary>The event as it came, with all of its fields.</summary>
    public JsonElement Raw { get; }

    /// <summary>Milliseconds beyond which a date cannot say it.</summary>
    private const long LatestTime = 62_135_596_800_000;
}

/// <summary>Which events to read.</summary>
public sealed class EventFilter
{
    /// <summary>The only types to read; all when empty.</summary>
    public IReadOnlyList<string> Types { get; init; } = [];

    /// <summary>The only placement in the flow to read events of.</summary>
    public string? NodeName { get; init; }

    /// <summary>How many events one request reads, at most 1,000; the service's own choice without it.</summary>
    public int? PageSize { get; init; }

    internal static EventFilter All { get; } = new();

    /// <summary>What a page is asked by; there is no cursor for the first.</summary>
    internal string QueryAfter(string? cursor)
    {
        var query = "decode=true";
        foreach (var type in Types)
        {
            query += $"&event_type={Uri.EscapeDataString(type)}";
        }

        if (NodeName is not null)
        {
            query += $"&node_name={Uri.EscapeDataString(NodeName)}";
        }

        if (PageSize is { } size)
        {
            query += $"&limit={size}";
        }

        return cursor is null ? query : $"{query}&cursor={Uri.EscapeDataString(cursor)}";
    }
}

/// <summary>A page of the history.</summary>
internal sealed record EventPage(IReadOnlyList<ExecutionEvent> Events, string? NextCursor, ApiResponse Answer)
{
    internal static EventPage Read(ApiResponse answer)
    {
        var fields = Answers.ObjectOf(answer);
        if (!fields.TryGetProperty("events", out var items) || items.ValueKind != JsonValueKind.Array)
        {
            throw Answers.Invalid(answer, "it has no events");
        }

        ExecutionEvent[] events =
        [
            .. items.EnumerateArray().Where(item => item.ValueKind == JsonValueKind.Object).Select(item => new ExecutionEvent(item)),
        ];
        return new EventPage(events, Answers.TextOf(fields, "next_cursor"), answer);
    }
}
