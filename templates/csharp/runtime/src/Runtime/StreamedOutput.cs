namespace Svc.Runtime;

/// <summary>
/// The output of a pipeline member, to read once with <c>await foreach</c>. The request is sent when the first message is
/// asked for. Leaving the loop closes the connection, which cancels the run; the output of a split stream can be read again.
/// </summary>
/// <typeparam name="T">The type of the messages.</typeparam>
public abstract class StreamedOutput<T> : IAsyncEnumerable<T>, IAsyncDisposable
{
    private protected StreamedOutput()
    {
    }

    /// <summary>The id of the execution, once known: when the response has begun, or with its first message.</summary>
    public abstract string? ExecutionId { get; }

    /// <summary>
    /// The id of the event of the last message, if the service sent one: to read the output of a split stream on behind it.
    /// </summary>
    public abstract string? LastEventId { get; }

    /// <summary>
    /// Sends the request, unless it was sent, and returns status and headers as soon as the response begins. Its body is
    /// empty. Read the stream afterwards, or dispose of it.
    /// </summary>
    /// <param name="cancellationToken">Cancels the stream while the response has not begun.</param>
    /// <returns>The response.</returns>
    /// <exception cref="SvcException">The call failed.</exception>
    /// <exception cref="ObjectDisposedException">The stream was closed before its request was sent.</exception>
    public abstract Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default);

    /// <summary>Returns the messages as they arrive. If the stream fails, throws the exception that a unary call would throw.</summary>
    /// <param name="cancellationToken">Cancels the stream.</param>
    /// <returns>The messages.</returns>
    /// <exception cref="InvalidOperationException">The stream was read before.</exception>
    /// <exception cref="ObjectDisposedException">The stream was closed before it was read.</exception>
    /// <exception cref="OperationCanceledException">
    /// The stream was cancelled, or <see cref="DisposeAsync"/> closed it before its last message was read.
    /// </exception>
    public abstract IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default);

    /// <summary>
    /// Closes the connection, which cancels the run of a call. A loop over the stream does so when it is left. A loop that goes on
    /// ends with an <see cref="OperationCanceledException"/>, whether it is waiting for a message or asks for the next one.
    /// </summary>
    /// <returns>A task.</returns>
    public abstract ValueTask DisposeAsync();
}

/// <summary>The exceptions for the use of a stream.</summary>
internal static class StreamedOutput
{
    /// <summary>Refuses a second reader, and any reader of a closed stream.</summary>
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
