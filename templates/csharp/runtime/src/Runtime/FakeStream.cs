using System.Globalization;

namespace Svc.Runtime;

/// <summary>
/// A stream that a mocked client returns. Its events are numbered from 0, as those of the service. It is read once, and closed, as
/// a stream of the service.
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

    /// <summary>Advances the source. An end that comes after the stream was closed is still an end.</summary>
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

/// <summary>The sources of streams that a mocked client returns.</summary>
internal static class FakeStream
{
    /// <summary>Adapts a sequence. Its messages are there at once, so that it needs no cancellation.</summary>
    internal static async IAsyncEnumerable<T> SourceOf<T>(IEnumerable<T> outputs)
    {
        foreach (var output in outputs)
        {
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            yield return output;
        }
    }
}
