using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>The status of an execution. Newer services may send statuses not listed here.</summary>
[JsonConverter(typeof(ProtoJsonConverter<ExecutionStatus>))]
public readonly record struct ExecutionStatus : IOpenName<ExecutionStatus>
{
    private readonly string? _name;

    /// <summary>Creates a status.</summary>
    /// <param name="name">The name, in capitals.</param>
    public ExecutionStatus(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _name = name == Names.Queued ? null : name;
    }

    /// <summary>The execution has not started yet.</summary>
    public static ExecutionStatus Queued => new(Names.Queued);

    /// <summary>The execution is running or paused.</summary>
    public static ExecutionStatus Running => new(Names.Running);

    /// <summary>The execution has succeeded.</summary>
    public static ExecutionStatus Completed => new(Names.Completed);

    /// <summary>The execution has failed.</summary>
    public static ExecutionStatus Failed => new(Names.Failed);

    /// <summary>The execution was cancelled.</summary>
    public static ExecutionStatus Cancelled => new(Names.Cancelled);

    /// <summary>The execution was forked.</summary>
    public static ExecutionStatus Forked => new(Names.Forked);

    /// <summary>The name, in capitals.</summary>
    public string Name => _name ?? Names.Queued;

    /// <summary>Whether an execution with this status has ended.</summary>
    public bool IsFinal => Name is Names.Completed or Names.Failed or Names.Cancelled or Names.Forked;

    static Codec<ExecutionStatus> IProtoJson<ExecutionStatus>.Codec => NameCodec<ExecutionStatus>.Instance;

    static ExecutionStatus IOpenName<ExecutionStatus>.FromName(string name) => new(name);

    /// <summary>Converts a name.</summary>
    /// <param name="name">The name, in capitals.</param>
    public static implicit operator ExecutionStatus(string name) => new(name);

    /// <summary>Returns the name.</summary>
    /// <returns>The name, in capitals.</returns>
    public override string ToString() => Name;

    /// <summary>The names as constants, for <c>case</c>.</summary>
    public static class Names
    {
        /// <summary>The name of <see cref="ExecutionStatus.Queued"/>.</summary>
        public const string Queued = "QUEUED";

        /// <summary>The name of <see cref="ExecutionStatus.Running"/>.</summary>
        public const string Running = "RUNNING";

        /// <summary>The name of <see cref="ExecutionStatus.Completed"/>.</summary>
        public const string Completed = "COMPLETED";

        /// <summary>The name of <see cref="ExecutionStatus.Failed"/>.</summary>
        public const string Failed = "FAILED";

        /// <summary>The name of <see cref="ExecutionStatus.Cancelled"/>.</summary>
        public const string Cancelled = "CANCELLED";

        /// <summary>The name of <see cref="ExecutionStatus.Forked"/>.</summary>
        public const string Forked = "FORKED";
    }
}
