using System.Text.Json;

namespace Svc.Runtime;

/// <summary>What the service keeps of an execution.</summary>
public sealed class ExecutionRecord
{
    private ExecutionRecord(JsonElement raw, ApiResponse answer)
    {
        Id = Answers.RequiredText(raw, "execution_id", answer);
        Status = Answers.RequiredText(raw, "status", answer);
        GraphId = Answers.TextOf(raw, "graph_id");
        CreatedAt = Answers.TextOf(raw, "created_at");
        UpdatedAt = Answers.TextOf(raw, "updated_at");
        CompletedAt = Answers.TextOf(raw, "completed_at");
        Raw = raw;
    }

    /// <summary>The id of the execution.</summary>
    public string Id { get; }

    /// <summary>
    /// How far it is: <c>QUEUED</c>, <c>RUNNING</c>, <c>COMPLETED</c>, <c>FAILED</c>, <c>CANCELLED</c> or <c>FORKED</c>. A
    /// parked run is <c>RUNNING</c>.
    /// </summary>
    public string Status { get; }

    /// <summary>The flow that ran.</summary>
    public string? GraphId { get; }

    /// <summary>When it was made, in ISO 8601.</summary>
    public string? CreatedAt { get; }

    /// <summary>When it last changed, in ISO 8601.</summary>
    public string? UpdatedAt { get; }

    /// <summary>When it ended, in ISO 8601; null until then.</summary>
    public string? CompletedAt { get; }

    /// <summary>Whether the execution has ended.</summary>
    public bool HasEnded => Status is "COMPLETED" or "FAILED" or "CANCELLED" or "FORKED";

    /// <summary>The record as it came, with all of its fields.</summary>
    public JsonElement Raw { get; }

    internal static ExecutionRecord Read(ApiResponse answer) => new(Answers.ObjectOf(answer), answer);
}
