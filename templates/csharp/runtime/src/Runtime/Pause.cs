using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A question from a node to a human. The run waits for the decision.</summary>
public sealed class Pause
{
    internal Pause(JsonElement raw, ApiResponse response)
    {
        Id = Responses.RequiredText(raw, "pause_id", response);
        ExecutionId = Responses.RequiredText(raw, "execution_id", response);
        Status = new PauseStatus(Responses.RequiredText(raw, "status", response));
        GraphId = Responses.TextOf(raw, "graph_id");
        NodeName = Responses.TextOf(raw, "node_name");
        Question = Responses.GivenOf(raw, "interrupt_payload");
        DecisionType = Responses.TextOf(raw, "resume_schema");
        CheckpointId = Responses.TextOf(raw, "checkpoint_id");
        CreatedAt = Responses.TimeOf(raw, "created_at");
        ExpiresAt = Responses.TimeOf(raw, "expires_at");
        ResumeUrl = Responses.TextOf(raw, "resume_url");
        ResumedAt = Responses.TimeOf(raw, "resumed_at");
        EscalatedAt = Responses.TimeOf(raw, "escalated_at");
        ResumedBy = Responses.TextOf(raw, "resumed_by");
        Decision = Responses.GivenOf(raw, "resume_value");
    }

    /// <summary>The id of the pause.</summary>
    public string Id { get; }

    /// <summary>The id of the run.</summary>
    public string ExecutionId { get; }

    /// <summary>The id of the flow of the run.</summary>
    public string? GraphId { get; }

    /// <summary>The placement in the flow that asked.</summary>
    public string? NodeName { get; }

    /// <summary>The status.</summary>
    public PauseStatus Status { get; }

    /// <summary>The question as JSON; null if it is JSON null, or if the service omitted it.</summary>
    public JsonElement? Question { get; }

    /// <summary>The full name of the decision's message type, such as <c>acme.v1.Approval</c>.</summary>
    public string? DecisionType { get; }

    /// <summary>The id of the checkpoint at the pause.</summary>
    public string? CheckpointId { get; }

    /// <summary>The time of the question.</summary>
    public DateTimeOffset? CreatedAt { get; }

    /// <summary>
    /// The deadline for the decision. When it passes, the pause expires and the run is cancelled. An escalation before does not change
    /// this.
    /// </summary>
    public DateTimeOffset? ExpiresAt { get; }

    /// <summary>
    /// A link for deciding without an API key. It is a secret. Null unless the pause is waiting and the API key is allowed to resume
    /// it.
    /// </summary>
    public string? ResumeUrl { get; }

    /// <summary>The time of the decision.</summary>
    public DateTimeOffset? ResumedAt { get; }

    /// <summary>The time of the escalation, if any. The pause keeps waiting after it.</summary>
    public DateTimeOffset? EscalatedAt { get; }

    /// <summary>Who decided, if known.</summary>
    public string? ResumedBy { get; }

    /// <summary>The decision as JSON, with likely secrets removed.</summary>
    public JsonElement? Decision { get; }

    /// <summary>Shows the id and the status, not the link.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"pause {Id} ({Status})";
}

/// <summary>The response to a decision on a pause.</summary>
public sealed class ResumedPause
{
    internal ResumedPause(JsonElement raw, ApiResponse response)
    {
        PauseId = Responses.RequiredText(raw, "pause_id", response);
        Status = new PauseStatus(Responses.RequiredText(raw, "status", response));
        ResumedAt = Responses.TimeOf(raw, "resumed_at");
        ResumedBy = Responses.TextOf(raw, "resumed_by");
        Decision = Responses.GivenOf(raw, "resume_value");
        AlreadyResumed = Responses.Find(raw, "already_resumed") is { ValueKind: JsonValueKind.True };
    }

    /// <summary>The id of the pause.</summary>
    public string PauseId { get; }

    /// <summary>The status of the pause: <see cref="PauseStatus.Resumed"/>.</summary>
    public PauseStatus Status { get; }

    /// <summary>The time of the decision that won.</summary>
    public DateTimeOffset? ResumedAt { get; }

    /// <summary>Who made the decision that won, if known.</summary>
    public string? ResumedBy { get; }

    /// <summary>The decision that won, as JSON, with likely secrets removed.</summary>
    public JsonElement? Decision { get; }

    /// <summary>
    /// Whether another decision came first. False for a retry of the decision that won.
    /// </summary>
    public bool AlreadyResumed { get; }

    /// <summary>Shows the id and the status.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"pause {PauseId} ({Status})";

    internal static ResumedPause Read(ApiResponse response) => new(Responses.ObjectOf(response), response);
}

/// <summary>Selects pauses.</summary>
public sealed class PauseFilter
{
    private readonly int? _pageSize;

    /// <summary>The statuses to include; all if empty.</summary>
    public IReadOnlyList<PauseStatus> Statuses { get; init; } = [];

    /// <summary>The number of pauses per request, from 1 to 1,000. Defaults to that of the service.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is not from 1 to 1,000.</exception>
    public int? PageSize
    {
        get => _pageSize;
        init => _pageSize = EventFilter.CheckedPageSize(value);
    }

    internal static PauseFilter All { get; } = new();

    /// <summary>Returns the query string for a page, with its question mark. The first page has no cursor.</summary>
    internal string QueryAfter(string? cursor)
    {
        List<string> pairs = [.. (Statuses ?? []).Select(status => $"status={Uri.EscapeDataString(status.Name)}")];
        if (PageSize is { } size)
        {
            pairs.Add($"limit={size}");
        }

        if (cursor is not null)
        {
            pairs.Add($"cursor={Uri.EscapeDataString(cursor)}");
        }

        return pairs.Count == 0 ? "" : $"?{string.Join('&', pairs)}";
    }
}

/// <summary>A page of pauses.</summary>
internal sealed record PausePage(IReadOnlyList<Pause> Pauses, string? NextCursor)
{
    internal static PausePage Read(ApiResponse response, string? cursor = null)
    {
        var fields = Responses.ObjectOf(response);
        if (Responses.Find(fields, "pauses") is not { ValueKind: JsonValueKind.Array } items)
        {
            throw Responses.Invalid(response, "pauses is missing");
        }

        Pause[] pauses = [.. items.EnumerateArray().Select(item => new Pause(item, response))];
        return new PausePage(pauses, Responses.NextCursorOf(fields, cursor, response));
    }
}
