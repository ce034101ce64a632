using System.Text.Json;

namespace Svc.Runtime;

/// <summary>The state of an execution.</summary>
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

    /// <summary>The execution id.</summary>
    public string Id { get; }

    /// <summary>
    /// The status: <c>QUEUED</c>, <c>RUNNING</c>, <c>COMPLETED</c>, <c>FAILED</c>, <c>CANCELLED</c> or <c>FORKED</c>. A
    /// paused run is <c>RUNNING</c>.
    /// </summary>
    public string Status { get; }

    /// <summary>The id of the flow.</summary>
    public string? GraphId { get; }

    /// <summary>The creation time in ISO 8601.</summary>
    public string? CreatedAt { get; }

    /// <summary>The time of the last change in ISO 8601.</summary>
    public string? UpdatedAt { get; }

    /// <summary>The end time in ISO 8601; null until the execution ends.</summary>
    public string? CompletedAt { get; }

    /// <summary>Whether the execution has ended.</summary>
    public bool HasEnded => Status is "COMPLETED" or "FAILED" or "CANCELLED" or "FORKED";

    /// <summary>The complete record as received.</summary>
    public JsonElement Raw { get; }

    internal static ExecutionRecord Read(ApiResponse answer) => new(Answers.ObjectOf(answer), answer);
}
