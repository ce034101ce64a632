using System.Globalization;

namespace Svc.Runtime;

/// <summary>
/// A stream that a mocked client returns. Its events are numbered from 0, as those of the service. It is read once, and closed, as
/// a stream of the service.
/// </summary>
internal sealed class FakeStream<T>(IEnumerable<T> outputs, ApiResponse response) : StreamedOutput<T>
{
    private int _count;
    private bool _isRead;
    private bool _isClosed;

    /// <inheritdoc/>
    public override string? ExecutionId => response.ExecutionId;

    /// <inheritdoc/>
    public override string? LastEventId => _count == 0 ? null : (_count - 1).ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isClosed && !_isRead, typeof(StreamedOutput<T>));
        return cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<ApiResponse>(cancellationToken)
            : Task.FromResult(response);
    }

    /// <inheritdoc/>
    public override async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        if (_isRead || _isClosed)
        {
            throw StreamedOutput.ReadBefore();
        }

        _isRead = true;
        try
        {
            await foreach (var output in InputLines.SourceOf(outputs, cancellationToken).ConfigureAwait(false))
            {
                if (_isClosed)
                {
                    throw StreamedOutput.Closed();
                }

                _count++;
                yield return output;
            }
        }
        finally
        {
            _isClosed = true;
        }
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _isClosed = true;
        return ValueTask.CompletedTask;
    }
}
