namespace Svc.Runtime;

/// <summary>A stream that a mocked client returns.</summary>
internal sealed class FakeStream<T>(IEnumerable<T> outputs, ApiResponse response) : StreamedOutput<T>
{
    /// <inheritdoc/>
    public override string? ExecutionId => response.ExecutionId;

    /// <inheritdoc/>
    public override Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
            ? Task.FromCanceled<ApiResponse>(cancellationToken)
            : Task.FromResult(response);

    /// <inheritdoc/>
    public override IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        InputLines.SourceOf(outputs, cancellationToken).GetAsyncEnumerator(cancellationToken);

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
