using System.Globalization;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>The state of an execution.</summary>
public sealed class ExecutionRecord
{
    private ExecutionRecord(JsonElement raw, ApiResponse answer)
    {
        Id = Answers.RequiredText(raw, "execution_id", answer);
        Status = new ExecutionStatus(Answers.RequiredText(raw, "status", answer));
        GraphId = Answers.TextOf(raw, "graph_id");
        CreatedAt = TimeOf(raw, "created_at");
        UpdatedAt = TimeOf(raw, "updated_at");
        CompletedAt = TimeOf(raw, "completed_at");
        Raw = raw;
    }

    /// <summary>The execution id.</summary>
    public string Id { get; }

    /// <summary>The status. A paused run is running.</summary>
    public ExecutionStatus Status { get; }

    /// <summary>The id of the flow.</summary>
    public string? GraphId { get; }

    /// <summary>The creation time.</summary>
    public DateTimeOffset? CreatedAt { get; }

    /// <summary>The time of the last change.</summary>
    public DateTimeOffset? UpdatedAt { get; }

    /// <summary>The end time; null until the execution ends.</summary>
    public DateTimeOffset? CompletedAt { get; }

    /// <summary>Whether the execution has ended.</summary>
    public bool HasEnded => Status.IsFinal;

    /// <summary>The complete record as received.</summary>
    public JsonElement Raw { get; }

    internal static ExecutionRecord Read(ApiResponse answer) => new(Answers.ObjectOf(answer), answer);

    /// <summary>Reads a time in ISO 8601. What is no time is absent, and still in the complete record.</summary>
    private static DateTimeOffset? TimeOf(JsonElement raw, string key) => DateTimeOffset.TryParse(
        Answers.TextOf(raw, key),
        CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
        out var time)
        ? time
        : null;
}
