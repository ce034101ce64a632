using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>The type of an event. Newer services may send types not listed here.</summary>
[JsonConverter(typeof(ProtoJsonConverter<ExecutionEventType>))]
public readonly record struct ExecutionEventType : IOpenName<ExecutionEventType>
{
    private readonly string? _name;

    /// <summary>Creates a type.</summary>
    /// <param name="name">The name, in capitals.</param>
    public ExecutionEventType(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _name = name;
    }

    /// <summary>A node starts.</summary>
    public static ExecutionEventType NodeStarted => new(Names.NodeStarted);

    /// <summary>A node has returned its output.</summary>
    public static ExecutionEventType NodeCompleted => new(Names.NodeCompleted);

    /// <summary>A node has failed; <see cref="ExecutionEvent.ErrorMessage"/> is the reason.</summary>
    public static ExecutionEventType NodeFailed => new(Names.NodeFailed);

    /// <summary>A node writes to its log.</summary>
    public static ExecutionEventType NodeLog => new(Names.NodeLog);

    /// <summary>A node reports its progress.</summary>
    public static ExecutionEventType NodeProgress => new(Names.NodeProgress);

    /// <summary>A pipeline node has received a message.</summary>
    public static ExecutionEventType NodeInputFrame => new(Names.NodeInputFrame);

    /// <summary>A pipeline node has sent a message.</summary>
    public static ExecutionEventType NodeFrame => new(Names.NodeFrame);

    /// <summary>A pipeline node has completed. Sent instead of <see cref="NodeCompleted"/>.</summary>
    public static ExecutionEventType NodeStreamComplete => new(Names.NodeStreamComplete);

    /// <summary>The condition of an edge was evaluated.</summary>
    public static ExecutionEventType EdgeEvaluated => new(Names.EdgeEvaluated);

    /// <summary>A retry of a failed node was scheduled.</summary>
    public static ExecutionEventType NodeRetryScheduled => new(Names.NodeRetryScheduled);

    /// <summary>A retry of a failed node has started.</summary>
    public static ExecutionEventType NodeRetryStarted => new(Names.NodeRetryStarted);

    /// <summary>The last attempt of a node has failed.</summary>
    public static ExecutionEventType NodeRetryExhausted => new(Names.NodeRetryExhausted);

    /// <summary>A node has added nodes or edges to the flow.</summary>
    public static ExecutionEventType GraphMutated => new(Names.GraphMutated);

    /// <summary>The run waits for a human decision on the pause <see cref="ExecutionEvent.PauseId"/>.</summary>
    public static ExecutionEventType HitlPaused => new(Names.HitlPaused);

    /// <summary>A human has decided, and the run continues.</summary>
    public static ExecutionEventType HitlResumed => new(Names.HitlResumed);

    /// <summary>The run could not continue with a decision; <see cref="ExecutionEvent.ErrorMessage"/> is the reason.</summary>
    public static ExecutionEventType HitlResumeFailed => new(Names.HitlResumeFailed);

    /// <summary>The deadline of a decision has passed.</summary>
    public static ExecutionEventType HitlTimeout => new(Names.HitlTimeout);

    /// <summary>A decision was escalated.</summary>
    public static ExecutionEventType EscalationTriggered => new(Names.EscalationTriggered);

    /// <summary>The run was forked; <see cref="FlowFailed"/> follows.</summary>
    public static ExecutionEventType Forked => new(Names.Forked);

    /// <summary>The run has succeeded. The last event.</summary>
    public static ExecutionEventType FlowCompleted => new(Names.FlowCompleted);

    /// <summary>The run has failed; <see cref="ExecutionEvent.ErrorMessage"/> is the reason. The last event.</summary>
    public static ExecutionEventType FlowFailed => new(Names.FlowFailed);

    /// <summary>The name, in capitals; empty if the event has none.</summary>
    public string Name => _name ?? "";

    static Codec<ExecutionEventType> IProtoJson<ExecutionEventType>.Codec => NameCodec<ExecutionEventType>.Instance;

    static ExecutionEventType IOpenName<ExecutionEventType>.FromName(string name) => new(name);

    /// <summary>Converts a name.</summary>
    /// <param name="name">The name, in capitals.</param>
    public static implicit operator ExecutionEventType(string name) => new(name);

    /// <summary>Returns the name.</summary>
    /// <returns>The name, in capitals.</returns>
    public override string ToString() => Name;

    /// <summary>The names as constants, for <c>case</c>.</summary>
    public static class Names
    {
        /// <summary>The name of <see cref="ExecutionEventType.NodeStarted"/>.</summary>
        public const string NodeStarted = "NODE_STARTED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeCompleted"/>.</summary>
        public const string NodeCompleted = "NODE_COMPLETED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeFailed"/>.</summary>
        public const string NodeFailed = "NODE_FAILED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeLog"/>.</summary>
        public const string NodeLog = "NODE_LOG";

        /// <summary>The name of <see cref="ExecutionEventType.NodeProgress"/>.</summary>
        public const string NodeProgress = "NODE_PROGRESS";

        /// <summary>The name of <see cref="ExecutionEventType.NodeInputFrame"/>.</summary>
        public const string NodeInputFrame = "NODE_INPUT_FRAME";

        /// <summary>The name of <see cref="ExecutionEventType.NodeFrame"/>.</summary>
        public const string NodeFrame = "NODE_FRAME";

        /// <summary>The name of <see cref="ExecutionEventType.NodeStreamComplete"/>.</summary>
        public const string NodeStreamComplete = "NODE_STREAM_COMPLETE";

        /// <summary>The name of <see cref="ExecutionEventType.EdgeEvaluated"/>.</summary>
        public const string EdgeEvaluated = "EDGE_EVALUATED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeRetryScheduled"/>.</summary>
        public const string NodeRetryScheduled = "NODE_RETRY_SCHEDULED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeRetryStarted"/>.</summary>
        public const string NodeRetryStarted = "NODE_RETRY_STARTED";

        /// <summary>The name of <see cref="ExecutionEventType.NodeRetryExhausted"/>.</summary>
        public const string NodeRetryExhausted = "NODE_RETRY_EXHAUSTED";

        /// <summary>The name of <see cref="ExecutionEventType.GraphMutated"/>.</summary>
        public const string GraphMutated = "GRAPH_MUTATED";

        /// <summary>The name of <see cref="ExecutionEventType.HitlPaused"/>.</summary>
        public const string HitlPaused = "HITL_PAUSED";

        /// <summary>The name of <see cref="ExecutionEventType.HitlResumed"/>.</summary>
        public const string HitlResumed = "HITL_RESUMED";

        /// <summary>The name of <see cref="ExecutionEventType.HitlResumeFailed"/>.</summary>
        public const string HitlResumeFailed = "HITL_RESUME_FAILED";

        /// <summary>The name of <see cref="ExecutionEventType.HitlTimeout"/>.</summary>
        public const string HitlTimeout = "HITL_TIMEOUT";

        /// <summary>The name of <see cref="ExecutionEventType.EscalationTriggered"/>.</summary>
        public const string EscalationTriggered = "ESCALATION_TRIGGERED";

        /// <summary>The name of <see cref="ExecutionEventType.Forked"/>.</summary>
        public const string Forked = "FORKED";

        /// <summary>The name of <see cref="ExecutionEventType.FlowCompleted"/>.</summary>
        public const string FlowCompleted = "FLOW_COMPLETED";

        /// <summary>The name of <see cref="ExecutionEventType.FlowFailed"/>.</summary>
        public const string FlowFailed = "FLOW_FAILED";
    }
}
