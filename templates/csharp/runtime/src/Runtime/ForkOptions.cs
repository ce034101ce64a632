namespace Svc.Runtime;

/// <summary>Options of a fork.</summary>
public sealed class ForkOptions
{
    private readonly string? _checkpointId;

    /// <summary>
    /// The checkpoint to continue from, such as <see cref="Pause.CheckpointId"/>. Defaults to the latest one.
    /// </summary>
    /// <exception cref="ArgumentException">The id is empty or not valid Unicode.</exception>
    public string? CheckpointId
    {
        get => _checkpointId;
        init
        {
            if (value is not null)
            {
                // The service would use the latest checkpoint.
                ArgumentException.ThrowIfNullOrEmpty(value);
                JsonText.CheckArgument(value);
            }

            _checkpointId = value;
        }
    }

    /// <summary>The input of the pending node. Defaults to its original input.</summary>
    public PauseDecision? Input { get; init; }
}
