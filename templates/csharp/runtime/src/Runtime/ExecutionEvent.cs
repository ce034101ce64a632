using System.Text.Json;

namespace Svc.Runtime;

/// <summary>An event of an execution. Newer services may send types not listed here.</summary>
public sealed class ExecutionEvent
{
    internal ExecutionEvent(JsonElement raw)
    {
        Type = Responses.TextOf(raw, "type") ?? "";
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

    /// <summary>The event type. Those that this release knows are constants in <see cref="Types"/>.</summary>
    public string Type { get; }

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

    /// <summary>The reason, for events of a failure.</summary>
    public string? ErrorMessage { get; }

    /// <summary>The id of the pause, for events of a decision, such as <see cref="Types.HitlPaused"/>.</summary>
    public string? PauseId { get; }

    /// <summary>The complete event as received.</summary>
    public JsonElement Raw { get; }

    /// <summary>The largest number of milliseconds that a date supports.</summary>
    private const long LatestTime = 62_135_596_800_000;

    /// <summary>Shows the type, the placement and the reason of a failure.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        var node = NodeName is null ? "" : $" {NodeName}";
        return ErrorMessage is null ? $"{Type}{node}" : $"{Type}{node}: {ErrorMessage}";
    }

    /// <summary>The values of <see cref="Type"/> as constants, for <c>case</c>. Newer services may send others.</summary>
    public static class Types
    {
        /// <summary>A node starts.</summary>
        public const string NodeStarted = "NODE_STARTED";

        /// <summary>A node has returned its output.</summary>
        public const string NodeCompleted = "NODE_COMPLETED";

        /// <summary>A node has failed; <see cref="ErrorMessage"/> is the reason.</summary>
        public const string NodeFailed = "NODE_FAILED";

        /// <summary>A node writes to its log.</summary>
        public const string NodeLog = "NODE_LOG";

        /// <summary>A node reports its progress.</summary>
        public const string NodeProgress = "NODE_PROGRESS";

        /// <summary>A pipeline node has received a message.</summary>
        public const string NodeInputFrame = "NODE_INPUT_FRAME";

        /// <summary>A pipeline node has sent a message.</summary>
        public const string NodeFrame = "NODE_FRAME";

        /// <summary>A pipeline node has completed; in place of <see cref="NodeCompleted"/>.</summary>
        public const string NodeStreamComplete = "NODE_STREAM_COMPLETE";

        /// <summary>The condition of an edge was evaluated.</summary>
        public const string EdgeEvaluated = "EDGE_EVALUATED";

        /// <summary>A node that failed will be called again.</summary>
        public const string NodeRetryScheduled = "NODE_RETRY_SCHEDULED";

        /// <summary>A node that failed is called again.</summary>
        public const string NodeRetryStarted = "NODE_RETRY_STARTED";

        /// <summary>A node has failed at its last attempt.</summary>
        public const string NodeRetryExhausted = "NODE_RETRY_EXHAUSTED";

        /// <summary>A node has added nodes or edges to the flow.</summary>
        public const string GraphMutated = "GRAPH_MUTATED";

        /// <summary>A decision of a human is due: the run waits for the pause <see cref="PauseId"/>.</summary>
        public const string HitlPaused = "HITL_PAUSED";

        /// <summary>A human has decided, and the run continues.</summary>
        public const string HitlResumed = "HITL_RESUMED";

        /// <summary>The run could not continue with a decision; <see cref="ErrorMessage"/> is the reason.</summary>
        public const string HitlResumeFailed = "HITL_RESUME_FAILED";

        /// <summary>The time to decide has ended.</summary>
        public const string HitlTimeout = "HITL_TIMEOUT";

        /// <summary>A decision was escalated.</summary>
        public const string EscalationTriggered = "ESCALATION_TRIGGERED";

        /// <summary>The run was continued by another; <see cref="FlowFailed"/> follows.</summary>
        public const string Forked = "FORKED";

        /// <summary>The run has succeeded. The last event.</summary>
        public const string FlowCompleted = "FLOW_COMPLETED";

        /// <summary>The run has failed; <see cref="ErrorMessage"/> is the reason. The last event.</summary>
        public const string FlowFailed = "FLOW_FAILED";
    }
}

/// <summary>Selects events.</summary>
public sealed class EventFilter
{
    /// <summary>The event types to include, such as <see cref="ExecutionEvent.Types.NodeFailed"/>; all types if empty.</summary>
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
        foreach (var type in Types ?? [])
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
