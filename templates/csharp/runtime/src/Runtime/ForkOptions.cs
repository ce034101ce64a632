namespace Svc.Runtime;

/// <summary>Says how a run is forked.</summary>
public sealed class ForkOptions
{
    private readonly string? _checkpointId;

    /// <summary>
    /// The checkpoint where the fork continues, such as <see cref="Pause.CheckpointId"/>. By default, the latest one.
    /// </summary>
    /// <exception cref="ArgumentException">The id is empty or not valid Unicode.</exception>
    public string? CheckpointId
    {
        get => _checkpointId;
        init
        {
            if (value is not null)
            {
                // The service would take the latest checkpoint.
                ArgumentException.ThrowIfNullOrEmpty(value);
                JsonText.CheckArgument(value);
            }

            _checkpointId = value;
        }
    }

    /// <summary>The input with which the pending node starts. By default, the input that it had.</summary>
    public PauseDecision? Input { get; init; }
}
