using System.Runtime.CompilerServices;

namespace Svc.Runtime;

/// <summary>
/// A live session with a pipeline node, with concurrent input and output. It has no execution record, and a lost connection ends it.
/// Dispose of it to close it. It is safe for concurrent use by any number of senders and one receiver.
/// </summary>
/// <typeparam name="TInput">The input of the node.</typeparam>
/// <typeparam name="TOutput">The output of the node.</typeparam>
public class LiveSession<TInput, TOutput> : IAsyncDisposable
{
    private readonly LiveSocket? _socket;
    private readonly Codec<TInput> _input;
    private readonly Codec<TOutput> _output;
    private LiveMessage? _last;
    private TOutput? _current;
    private int _isReceiving;

    internal LiveSession(LiveSocket socket, Codec<TInput> input, Codec<TOutput> output)
    {
        _socket = socket;
        _input = input;
        _output = output;
        ExecutionId = socket.Ready.ExecutionId;
        Limits = LiveSessionLimits.Read(Responses.ObjectOf(socket.Ready));
    }

    /// <summary>
    /// Creates a session to mock. Its members are virtual; those that are not overridden throw a <see cref="NotSupportedException"/>.
    /// </summary>
    protected LiveSession()
    {
        _input = null!;
        _output = null!;
        Limits = new LiveSessionLimits();
    }

    /// <summary>The id of the session in the logs of the service, if the service sent it. It has no execution record.</summary>
    public virtual string? ExecutionId { get; }

    /// <summary>The limits that the service enforces.</summary>
    public virtual LiveSessionLimits Limits { get; }

    /// <summary>
    /// Sends a message. Waits while the node is not reading. Receive while you send: the end of the session is detected only after the
    /// messages before it have been received. Until then, a send may succeed although the node does not get the message.
    /// </summary>
    /// <param name="input">The message.</param>
    /// <param name="cancellationToken">Cancels the send. If a part of the message was sent, the session ends.</param>
    /// <returns>A task that completes when the message is sent.</returns>
    /// <exception cref="ValueException">The message is invalid or too large. It was not sent, and the session stays open.</exception>
    /// <exception cref="NodeFailedException">
    /// The node failed, which ended the session, and all earlier messages have been received.
    /// </exception>
    /// <exception cref="StreamInterruptedException">The session has ended; the exception gives the reason.</exception>
    /// <exception cref="ObjectDisposedException">The program closed the session.</exception>
    public virtual async Task SendAsync(TInput input, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        var socket = _socket ?? throw Connection.NotOverridden();
        var json = InputLines.JsonOf(_input, input, socket.Sent);
        if (json.Length > Limits.MaxInputMessageBytes)
        {
            throw new ValueException(
                $"input message {socket.Sent}: {json.Length} bytes of JSON; the service takes {Limits.MaxInputMessageBytes}");
        }

        await socket.SendAsync(json, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Returns the messages of the node as they arrive, up to the last one, or until the program closes the session. Leaving the loop
    /// keeps the session open, and another loop continues after the last message.
    /// </summary>
    /// <param name="cancellationToken">Ends the loop, not the session.</param>
    /// <returns>The messages.</returns>
    /// <exception cref="NodeFailedException">The node failed.</exception>
    /// <exception cref="StreamInterruptedException">The session ended before the last message; the exception gives the reason.</exception>
    /// <exception cref="InvalidOperationException">Another loop is receiving the messages.</exception>
    public virtual async IAsyncEnumerable<TOutput> ReceiveAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var socket = _socket ?? throw Connection.NotOverridden();
        if (Interlocked.Exchange(ref _isReceiving, 1) != 0)
        {
            throw new InvalidOperationException("the messages of a session are received by one loop at a time");
        }

        try
        {
            while (await AdvanceAsync(socket, cancellationToken).ConfigureAwait(false))
            {
                yield return _current!;
            }
        }
        finally
        {
            Volatile.Write(ref _isReceiving, 0);
        }
    }

    /// <summary>Closes the session, which cancels the node. Closing it again has no effect.</summary>
    /// <returns>A task that completes when the connection is closed.</returns>
    public virtual Task CloseAsync() => _socket?.DisposeAsync().AsTask() ?? Task.CompletedTask;

    /// <summary>Closes the session, as <see cref="CloseAsync"/> does.</summary>
    /// <returns>A task.</returns>
    public virtual async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>Shows the id of the session.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"session {ExecutionId}";

    /// <summary>Receives the next message. Returns false at the end.</summary>
    private async Task<bool> AdvanceAsync(LiveSocket socket, CancellationToken cancellationToken)
    {
        try
        {
            if (_last is null && await socket.ReceiveAsync(cancellationToken).ConfigureAwait(false) is { } message)
            {
                var frame = message.Frame;
                _last = frame.IsFinal ? message : null;
                if (frame.Payload is not null || !frame.IsFinal)
                {
                    _current = frame.MessageOf(_output, message.Response);
                    return true;
                }
            }

            return _last?.Failure() is { } failure ? throw failure : false;
        }
        catch (SvcException failure)
        {
            socket.Report(failure);
            throw;
        }
    }
}
