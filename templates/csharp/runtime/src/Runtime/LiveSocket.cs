namespace Svc.Runtime;

/// <summary>A message of the node.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Response">The response with the frame as its body.</param>
internal sealed record LiveMessage(Frame Frame, ApiResponse Response)
{
    /// <summary>Returns the exception for an error in the last message; null if the node succeeded.</summary>
    internal NodeFailedException? Failure() =>
        Frame.IsSuccess ? null : new NodeFailedException(Frame.ReasonOf(Response), Response);
}

/// <summary>
/// The connection of a live session. It reads one message ahead, so that pings are answered while the program is busy, without losing
/// backpressure.
/// </summary>
internal sealed class LiveSocket : IAsyncDisposable
{
    /// <summary>How long a failed send waits for the reason why the session ended.</summary>
    private static readonly TimeSpan LongestInquiry = TimeSpan.FromSeconds(1);

    private readonly LogicalCall _call;
    private readonly CallTelemetry _telemetry;
    private readonly OpenSocket _socket;
    private readonly SemaphoreSlim _sending = new(1);
    private Task<LiveMessage?> _next;
    private volatile LiveMessage? _last;
    private int _isClosed;

    private LiveSocket(LogicalCall call, CallTelemetry telemetry, OpenSocket socket, ApiResponse ready)
    {
        _call = call;
        _telemetry = telemetry;
        _socket = socket;
        Ready = ready;
        _next = ReadAsync();
    }

    /// <summary>The response, with the first message as its body.</summary>
    internal ApiResponse Ready { get; }

    /// <summary>The number of messages that were sent.</summary>
    internal long Sent { get; private set; }

    private bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    /// <summary>Opens a session. Retries transient failures until the service is ready, which ends the timeout.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="operation">The name in traces and metrics.</param>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="options">Options of the call.</param>
    /// <param name="cancellationToken">Cancels the opening, not the session.</param>
    internal static async Task<LiveSocket> OpenAsync(
        Connection connection,
        string operation,
        string path,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var call = connection.Begin(options, Settings.UsualTimeout, CancellationToken.None);
        var telemetry = new CallTelemetry(operation);
        try
        {
            using var registration = call.CancelWith(cancellationToken);
            var (socket, ready) = await call.OpenSocketAsync(path, each => ReadyAsync(call, each.Socket, each.Head))
                .ConfigureAwait(false);
            call.LiftDeadline();
            return new LiveSocket(call, telemetry, socket, ready);
        }
        catch (Exception failure)
        {
            call.Describe(failure);
            telemetry.Fail(failure);
            End(call, telemetry);
            throw;
        }
    }

    /// <summary>Returns the next message; null after <see cref="DisposeAsync"/>.</summary>
    /// <param name="cancellationToken">Cancels the wait. The message is returned by the next call.</param>
    internal async Task<LiveMessage?> ReceiveAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            var message = await MessageAsync(_call, _socket, _next, Ready, cancellationToken).ConfigureAwait(false);
            _next = ReadAsync();
            return message;
        }
        catch (Exception) when (IsClosed && !cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <summary>Sends a message after pending ones.</summary>
    /// <param name="json">The message.</param>
    /// <param name="cancellationToken">Cancels the send. If a part of the message was sent, the session ends.</param>
    internal async Task SendAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ObjectDisposedException.ThrowIf(IsClosed, typeof(LiveSession<,>));
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _call.Ending);
            await _sending.WaitAsync(either.Token).ConfigureAwait(false);
            try
            {
                await WriteAsync(json, either.Token).ConfigureAwait(false);
            }
            finally
            {
                _sending.Release();
            }
        }
        catch (Exception problem) when (LogicalCall.IsOfTransport(problem))
        {
            cancellationToken.ThrowIfCancellationRequested();
            ObjectDisposedException.ThrowIf(IsClosed, typeof(LiveSession<,>));
            var cause = await CauseOfAsync(problem).ConfigureAwait(false);
            ObjectDisposedException.ThrowIf(IsClosed, typeof(LiveSession<,>));
            throw cause;
        }
    }

    /// <summary>Adds the details of the session to a failure, and logs it.</summary>
    internal void Report(SvcException failure)
    {
        _call.Describe(failure);
        _call.LogFailure(failure);
        _telemetry.Fail(failure);
    }

    /// <summary>Closes the connection, and ends pending sends and reads.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
        {
            return;
        }

        await _socket.DisposeAsync().ConfigureAwait(false);
        _call.Stop();
        await ((Task)_next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _sending.WaitAsync().ConfigureAwait(false);
        _sending.Dispose();
        End(_call, _telemetry);
    }

    /// <summary>Reads the first message of a session, which reports that the service is ready.</summary>
    private static async Task<ApiResponse> ReadyAsync(LogicalCall call, OpenSocket socket, ApiResponse head)
    {
        var reading = socket.ReadAsync(head, call.Ending);
        var ready = head.WithBody(await MessageAsync(call, socket, reading, head, CancellationToken.None).ConfigureAwait(false));
        var fields = Responses.ObjectOf(ready);
        if (Responses.TextOf(fields, "type") != "SESSION_READY")
        {
            throw Responses.Invalid(ready, "the session does not begin with SESSION_READY");
        }

        ready.ExecutionId = Responses.TextOf(fields, "execution_id");
        call.ExecutionId = ready.ExecutionId;
        return ready;
    }

    private static async Task<T> MessageAsync<T>(
        LogicalCall call,
        OpenSocket socket,
        Task<T?> reading,
        ApiResponse head,
        CancellationToken cancellationToken)
        where T : class
    {
        try
        {
            return await reading.WaitAsync(cancellationToken).ConfigureAwait(false) ?? throw socket.InterruptionOf(head);
        }
        catch (Exception problem) when (LogicalCall.IsOfTransport(problem))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw call.InterruptionOf(problem, head, socket.IsSendingCancelled);
        }
    }

    private static void End(LogicalCall call, CallTelemetry telemetry)
    {
        telemetry.Count(call.Sent, call.ExecutionId);
        telemetry.Dispose();
        call.Dispose();
    }

    /// <summary>Reads a message; null if the service or the program closed the socket.</summary>
    private async Task<LiveMessage?> ReadAsync()
    {
        try
        {
            if (await _socket.ReadAsync(Ready, _call.Ending).ConfigureAwait(false) is not { } json)
            {
                return null;
            }

            var response = Ready.WithBody(json);
            var message = new LiveMessage(Frame.Read(response), response);
            _last = message.Frame.IsFinal ? message : _last;
            return message;
        }
        catch (Exception) when (IsClosed)
        {
            // Nothing awaits a read that starts while the session is being closed.
            return null;
        }
    }

    /// <summary>Returns the exception for a send after the last message of the node; null if that has not arrived.</summary>
    private SvcException? EndOfNode() => _last is not { } last
        ? null
        : last.Failure() ?? (SvcException)new StreamInterruptedException("the session has ended: the node sent its last message", last.Response);

    private async Task WriteAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken)
    {
        if (EndOfNode() is { } end)
        {
            throw end;
        }

        if (_next.IsCompletedSuccessfully && await _next.ConfigureAwait(false) is null)
        {
            throw _socket.InterruptionOf(Ready);
        }

        await _socket.SendAsync(json, cancellationToken).ConfigureAwait(false);
        Sent++;
    }

    /// <summary>
    /// Returns the exception of a failed send. The reason why the session ended is more specific than the failure, unless it is queued
    /// after a message that was not received.
    /// </summary>
    private async Task<Exception> CauseOfAsync(Exception problem)
    {
        try
        {
            var next = await _next.WaitAsync(LongestInquiry).ConfigureAwait(false);
            if ((EndOfNode() ?? (next is null ? _socket.InterruptionOf(Ready) : null)) is { } end)
            {
                return end;
            }
        }
        catch (InvalidResponseException cause)
        {
            return cause;
        }
        catch (TimeoutException)
        {
            // The reason has not arrived, or is not accessible.
        }
        catch (Exception cause) when (LogicalCall.IsOfTransport(cause))
        {
            return _call.InterruptionOf(cause, Ready, _socket.IsSendingCancelled);
        }

        return _call.InterruptionOf(problem, Ready, _socket.IsSendingCancelled);
    }
}
