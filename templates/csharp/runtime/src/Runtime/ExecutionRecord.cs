using System.Text.Json;

namespace Svc.Runtime;

/// <summary>The state of an execution.</summary>
public sealed class ExecutionRecord
{
    internal ExecutionRecord(JsonElement raw, ApiResponse response)
    {
        Id = Responses.RequiredText(raw, "execution_id", response);
        Status = new ExecutionStatus(Responses.RequiredText(raw, "status", response));
        GraphId = Responses.TextOf(raw, "graph_id");
        CreatedAt = Responses.TimeOf(raw, "created_at");
        UpdatedAt = Responses.TimeOf(raw, "updated_at");
        CompletedAt = Responses.TimeOf(raw, "completed_at");
        PauseId = Responses.TextOf(raw, "pause_id");
        LatestCheckpointId = Responses.TextOf(raw, "latest_checkpoint_id");
        ErrorMessage = Responses.TextOf(raw, "error_message");
        FailedNodeName = Responses.TextOf(raw, "failed_node_name");
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

    /// <summary>The id of the pause that is waiting for a decision.</summary>
    public string? PauseId { get; }

    /// <summary>The id of the latest checkpoint.</summary>
    public string? LatestCheckpointId { get; }

    /// <summary>The reason, if the execution failed.</summary>
    public string? ErrorMessage { get; }

    /// <summary>The placement in the flow at which the execution failed, if it failed at one.</summary>
    public string? FailedNodeName { get; }

    /// <summary>Whether the execution has ended.</summary>
    public bool HasEnded => Status.IsFinal || CompletedAt is not null;

    /// <summary>The complete record as received.</summary>
    public JsonElement Raw { get; }

    /// <summary>Shows the id and the status.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"execution {Id} ({Status})";

    internal static async Task<ExecutionRecord> ReadAsync(Func<string, Task<ApiResponse>> read, string executionId) =>
        Read(await read($"/invocations/v1/executions/{executionId}").ConfigureAwait(false));

    internal static ExecutionRecord Read(ApiResponse response) => new(Responses.ObjectOf(response), response);
}
