using System.Text.Json;

namespace Svc.Runtime;

/// <summary>An event of an execution.</summary>
public sealed class ExecutionEvent
{
    internal ExecutionEvent(JsonElement raw)
    {
        Type = Responses.TextOf(raw, "type") is { Length: > 0 } type ? new ExecutionEventType(type) : default;
        Ulid = Responses.TextOf(raw, "event_ulid") ?? "";
        NodeName = Responses.TextOf(raw, "node_name");
        Input = Responses.Find(raw, "input");
        Output = Responses.Find(raw, "output");
        ErrorMessage = Responses.TextOf(raw, "error");
        PauseId = Responses.TextOf(raw, "pause_id");
        Raw = raw;
        if (Responses.Find(raw, "timestamp_ms") is { ValueKind: JsonValueKind.Number } time
            && time.TryGetInt64(out var milliseconds) && milliseconds is > -LatestTime and < LatestTime)
        {
            Time = DateTimeOffset.FromUnixTimeMilliseconds(milliseconds);
        }
    }

    /// <summary>The event type.</summary>
    public ExecutionEventType Type { get; }

    /// <summary>The unique event id. Ids sort by time.</summary>
    public string Ulid { get; }

    /// <summary>The time of the event, with millisecond precision.</summary>
    public DateTimeOffset? Time { get; }

    /// <summary>The placement in the flow, for events of a node.</summary>
    public string? NodeName { get; }

    /// <summary>The input message as JSON, if the event has one.</summary>
    public JsonElement? Input { get; }

    /// <summary>The output message as JSON, if the event has one.</summary>
    public JsonElement? Output { get; }

    /// <summary>The reason, for failure events.</summary>
    public string? ErrorMessage { get; }

    /// <summary>The id of the pause, for pause events, such as <see cref="ExecutionEventType.HitlPaused"/>.</summary>
    public string? PauseId { get; }

    /// <summary>The complete event as received.</summary>
    public JsonElement Raw { get; }

    /// <summary>The largest number of milliseconds that a date supports.</summary>
    private const long LatestTime = 62_135_596_800_000;

    /// <summary>Shows the type, the placement and the failure reason.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        var node = NodeName is null ? "" : $" {NodeName}";
        return ErrorMessage is null ? $"{Type}{node}" : $"{Type}{node}: {ErrorMessage}";
    }
}

/// <summary>Selects events.</summary>
public sealed class EventFilter
{
    private const int MaxPageSize = 1000;

    private readonly int? _pageSize;

    /// <summary>The event types to include, such as <see cref="ExecutionEventType.NodeFailed"/>; all types if empty.</summary>
    public IReadOnlyList<ExecutionEventType> Types { get; init; } = [];

    /// <summary>The placement in the flow to include events of.</summary>
    public string? NodeName { get; init; }

    /// <summary>The number of events per request, from 1 to 1,000. Defaults to that of the service.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is not from 1 to 1,000.</exception>
    public int? PageSize
    {
        get => _pageSize;
        init => _pageSize = CheckedPageSize(value);
    }

    /// <summary>Validates the page size of this and other lists.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The size is not from 1 to 1,000.</exception>
    internal static int? CheckedPageSize(int? value)
    {
        if (value is { } size)
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(size, nameof(value));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(size, MaxPageSize, nameof(value));
        }

        return value;
    }

    internal static EventFilter All { get; } = new();

    /// <summary>Returns the query string for a page. The first page has no cursor.</summary>
    internal string QueryAfter(string? cursor)
    {
        var query = "decode=true";
        foreach (var type in Types ?? [])
        {
            query += $"&event_type={Uri.EscapeDataString(type.Name)}";
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
internal sealed record EventPage(IReadOnlyList<ExecutionEvent> Events, string? NextCursor, ApiResponse Response)
{
    internal static async Task<EventPage> ReadAsync(
        Func<string, Task<ApiResponse>> read,
        string executionId,
        EventFilter? filter,
        string? cursor)
    {
        var query = (filter ?? EventFilter.All).QueryAfter(cursor);
        return Read(await read($"/invocations/v1/executions/{executionId}/events?{query}").ConfigureAwait(false), cursor);
    }

    private static EventPage Read(ApiResponse response, string? cursor)
    {
        var fields = Responses.ObjectOf(response);
        if (Responses.Find(fields, "events") is not { ValueKind: JsonValueKind.Array } items)
        {
            throw Responses.Invalid(response, "events is missing");
        }

        ExecutionEvent[] events =
        [
            .. items.EnumerateArray().Where(item => item.ValueKind == JsonValueKind.Object).Select(item => new ExecutionEvent(item)),
        ];
        return new EventPage(events, Responses.NextCursorOf(fields, cursor, response), response);
    }
}
