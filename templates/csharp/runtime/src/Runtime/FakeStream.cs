using System.Globalization;

namespace Svc.Runtime;

/// <summary>A stream that a mocked client returns. Its events are numbered from 0, as those of the service.</summary>
internal sealed class FakeStream<T>(IEnumerable<T> outputs, ApiResponse response) : StreamedOutput<T>
{
    private int _count;

    /// <inheritdoc/>
    public override string? ExecutionId => response.ExecutionId;

    /// <inheritdoc/>
    public override string? LastEventId => _count == 0 ? null : (_count - 1).ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<ApiResponse>(cancellationToken)
            : Task.FromResult(response);

    /// <inheritdoc/>
    public override IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        InputLines.SourceOf(Counted(), cancellationToken).GetAsyncEnumerator(cancellationToken);

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private IEnumerable<T> Counted()
    {
        foreach (var output in outputs)
        {
            _count++;
            yield return output;
        }
    }
}
