namespace Svc.Runtime;

/// <summary>
/// The output of a pipeline member, to read once with <c>await foreach</c>. The request is sent when the first message is read.
/// Leaving the loop closes the connection, which cancels the run; the output of a split stream can be read again.
/// </summary>
/// <typeparam name="T">The type of the messages.</typeparam>
public abstract class StreamedOutput<T> : IAsyncEnumerable<T>, IAsyncDisposable
{
    private protected StreamedOutput()
    {
    }

    /// <summary>The id of the execution, once known: at the start of the response, or with its first message.</summary>
    public abstract string? ExecutionId { get; }

    /// <summary>
    /// The event id of the last message, if the service sent one. Use it to resume the output of a split stream.
    /// </summary>
    public abstract string? LastEventId { get; }

    /// <summary>
    /// Sends the request if it was not sent yet, and returns status and headers as soon as the response begins. Its body is empty. Read
    /// the stream afterwards, or dispose of it.
    /// </summary>
    /// <param name="cancellationToken">Cancels the stream until the response begins.</param>
    /// <returns>The response.</returns>
    /// <exception cref="SvcException">The call failed.</exception>
    /// <exception cref="ObjectDisposedException">The stream was closed before its request was sent.</exception>
    public abstract Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default);

    /// <summary>Returns the messages as they arrive. If the stream fails, throws the exception that a unary call would throw.</summary>
    /// <param name="cancellationToken">Cancels the stream.</param>
    /// <returns>The messages.</returns>
    /// <exception cref="InvalidOperationException">The stream was already read.</exception>
    /// <exception cref="ObjectDisposedException">The stream was closed before it was read.</exception>
    /// <exception cref="OperationCanceledException">
    /// The stream was cancelled, or <see cref="DisposeAsync"/> closed it before its last message was read.
    /// </exception>
    public abstract IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default);

    /// <summary>
    /// Closes the connection, which cancels the run of a call. Leaving a loop over the stream has the same effect. A loop that continues
    /// ends with an <see cref="OperationCanceledException"/>, whether it is waiting for a message or requests the next one.
    /// </summary>
    /// <returns>A task.</returns>
    public abstract ValueTask DisposeAsync();
}

/// <summary>The exceptions for the use of a stream.</summary>
internal static class StreamedOutput
{
    /// <summary>Rejects a second reader, and any reader of a closed stream.</summary>
    internal static void CheckUnread<T>(bool isRead, bool isClosed)
    {
        if (isRead)
        {
            throw new InvalidOperationException("a stream can be read once: call the method again for another one");
        }

        ObjectDisposedException.ThrowIf(isClosed, typeof(StreamedOutput<T>));
    }

    internal static OperationCanceledException Closed() => new("the stream was closed");
}
