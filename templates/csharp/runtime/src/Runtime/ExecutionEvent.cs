using System.Text.Json;

namespace Svc.Runtime;

/// <summary>An event of an execution. Newer services may send types not listed here.</summary>
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

    /// <summary>The event type, such as <c>NODE_STARTED</c> or <c>FLOW_COMPLETED</c>.</summary>
    public string Type { get; }

    /// <summary>The unique event id. Ids sort by time.</summary>
    public string Ulid { get; }

    /// <summary>The time of the event, with millisecond precision.</summary>
    public DateTimeOffset Time { get; } = DateTimeOffset.UnixEpoch;

    /// <summary>The placement in the flow, for events of a node.</summary>
    public string? NodeName { get; }

    /// <summary>The input message as JSON, if the event has one.</summary>
    public JsonElement? Input { get; }

    /// <summary>The output message as JSON, if the event has one.</summary>
    public JsonElement? Output { get; }

    /// <summary>The complete event as received.</summary>
    public JsonElement Raw { get; }

    /// <summary>The largest number of milliseconds that a date supports.</summary>
    private const long LatestTime = 62_135_596_800_000;
}

/// <summary>Selects events.</summary>
public sealed class EventFilter
{
    /// <summary>The event types to include; all types if empty.</summary>
    public IReadOnlyList<string> Types { get; init; } = [];

    /// <summary>The placement in the flow whose events to include.</summary>
    public string? NodeName { get; init; }

    /// <summary>The number of events per request, at most 1,000. Defaults to that of the service.</summary>
    public int? PageSize { get; init; }

    internal static EventFilter All { get; } = new();

    /// <summary>Returns the query string for a page. The first page has no cursor.</summary>
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

/// <summary>A page of events.</summary>
internal sealed record EventPage(IReadOnlyList<ExecutionEvent> Events, string? NextCursor, ApiResponse Answer)
{
    internal static async Task<EventPage> ReadAsync(LogicalCall call, string executionId, EventFilter? filter, string? cursor)
    {
        var query = (filter ?? EventFilter.All).QueryAfter(cursor);
        return Read(await call.GetAsync($"/invocations/v1/executions/{executionId}/events?{query}").ConfigureAwait(false));
    }

    private static EventPage Read(ApiResponse answer)
    {
        var fields = Answers.ObjectOf(answer);
        if (!fields.TryGetProperty("events", out var items) || items.ValueKind != JsonValueKind.Array)
        {
            throw Answers.Invalid(answer, "events is missing");
        }

        ExecutionEvent[] events =
        [
            .. items.EnumerateArray().Where(item => item.ValueKind == JsonValueKind.Object).Select(item => new ExecutionEvent(item)),
        ];
        return new EventPage(events, Answers.TextOf(fields, "next_cursor"), answer);
    }
}
