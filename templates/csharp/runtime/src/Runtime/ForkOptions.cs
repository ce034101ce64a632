namespace Svc.Runtime;

/// <summary>Says how a run is forked.</summary>
public sealed class ForkOptions
{
    /// <summary>The checkpoint where the fork continues. By default, the latest one.</summary>
    public string? CheckpointId { get; init; }

    /// <summary>The input with which the pending node starts. By default, the input that it had.</summary>
    public PauseDecision? Input { get; init; }
}
