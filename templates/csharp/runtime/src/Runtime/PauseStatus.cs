using System.Text.Json.Serialization;

namespace Svc.Runtime;

/// <summary>The status of a pause. Newer services may send statuses not listed here.</summary>
[JsonConverter(typeof(ProtoJsonConverter<PauseStatus>))]
public readonly record struct PauseStatus : IOpenName<PauseStatus>
{
    private readonly string? _name;

    /// <summary>Creates a status.</summary>
    /// <param name="name">The name, in capitals.</param>
    public PauseStatus(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _name = name == Names.Waiting ? null : name;
    }

    /// <summary>The pause is waiting for a decision. All other statuses are final.</summary>
    public static PauseStatus Waiting => new(Names.Waiting);

    /// <summary>The pause was decided, and the run continues.</summary>
    public static PauseStatus Resumed => new(Names.Resumed);

    /// <summary>The deadline for the decision has passed.</summary>
    public static PauseStatus Expired => new(Names.Expired);

    /// <summary>The run ended without a decision.</summary>
    public static PauseStatus Cancelled => new(Names.Cancelled);

    /// <summary>The name, in capitals.</summary>
    public string Name => _name ?? Names.Waiting;

    static Codec<PauseStatus> IProtoJson<PauseStatus>.Codec => NameCodec<PauseStatus>.Instance;

    static PauseStatus IOpenName<PauseStatus>.FromName(string name) => new(name);

    /// <summary>Converts a name.</summary>
    /// <param name="name">The name, in capitals.</param>
    public static implicit operator PauseStatus(string name) => new(name);

    /// <summary>Returns the name.</summary>
    /// <returns>The name, in capitals.</returns>
    public override string ToString() => Name;

    /// <summary>The names as constants, for <c>case</c>.</summary>
    public static class Names
    {
        /// <summary>The name of <see cref="PauseStatus.Waiting"/>.</summary>
        public const string Waiting = "WAITING";

        /// <summary>The name of <see cref="PauseStatus.Resumed"/>.</summary>
        public const string Resumed = "RESUMED";

        /// <summary>The name of <see cref="PauseStatus.Expired"/>.</summary>
        public const string Expired = "EXPIRED";

        /// <summary>The name of <see cref="PauseStatus.Cancelled"/>.</summary>
        public const string Cancelled = "CANCELLED";
    }
}
