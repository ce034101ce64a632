using System.Globalization;

namespace Svc.Runtime;

/// <summary>
/// A stream for a mocked client. Its events are numbered from 0, like those of the service. It is read once and closed like a real
/// stream.
/// </summary>
internal sealed class FakeStream<T>(IAsyncEnumerable<T> outputs, ApiResponse response) : StreamedOutput<T>
{
    private readonly CancellationTokenSource _closing = new();
    private int _count;
    private bool _isRead;

    /// <inheritdoc/>
    public override string? ExecutionId => response.ExecutionId;

    /// <inheritdoc/>
    public override string? LastEventId => _count == 0 ? null : (_count - 1).ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_closing.IsCancellationRequested && !_isRead, typeof(StreamedOutput<T>));
        return cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<ApiResponse>(cancellationToken)
            : Task.FromResult(response);
    }

    /// <inheritdoc/>
    public override async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        StreamedOutput.CheckUnread<T>(_isRead, _closing.IsCancellationRequested);
        _isRead = true;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closing.Token);
        var source = outputs.GetAsyncEnumerator(either.Token);
        await using (source.ConfigureAwait(false))
        {
            while (await AdvanceAsync(source, cancellationToken).ConfigureAwait(false))
            {
                _count++;
                yield return source.Current;
            }
        }
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync() => await _closing.CancelAsync().ConfigureAwait(false);

    /// <summary>Advances the source. If the source ends after the stream was closed, the stream counts as ended.</summary>
    private async ValueTask<bool> AdvanceAsync(IAsyncEnumerator<T> source, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            var hasNext = await source.MoveNextAsync().ConfigureAwait(false);
            return !_closing.IsCancellationRequested || !hasNext ? hasNext : throw StreamedOutput.Closed();
        }
        catch (OperationCanceledException) when (_closing.IsCancellationRequested)
        {
            throw StreamedOutput.Closed();
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException("the call was cancelled", cancellationToken);
        }
    }
}

/// <summary>Sources of streams for a mocked client.</summary>
internal static class FakeStream
{
    /// <summary>Adapts a sequence. Its messages are available immediately, so it needs no cancellation.</summary>
    internal static async IAsyncEnumerable<T> SourceOf<T>(IEnumerable<T> outputs)
    {
        foreach (var output in outputs)
        {
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            yield return output;
        }
    }
}
