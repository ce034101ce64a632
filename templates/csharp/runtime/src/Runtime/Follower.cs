namespace Svc.Runtime;

/// <summary>
/// Follows a run: gives its history page by page, then what happens, by a WebSocket. After a lost socket both again, from the
/// last page on. No event is given twice.
/// </summary>
internal sealed class Follower(
    Connection connection,
    string executionId,
    CallOptions? options,
    CancellationToken cancellationToken) : IAsyncDisposable
{
    private static readonly EventFilter LargePages = new() { PageSize = 1000 };

    private readonly Queue<ExecutionEvent> _found = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private string? _cursor;

    /// <summary>Whether a page has been read. Until then, failures are those of any call.</summary>
    private bool _hasBegun;

    /// <summary>Whether all pages have been read once.</summary>
    private bool _hasHistory;
    private bool _isHistoryRead;

    /// <summary>Whether the record of the run says that no event will follow those of the history.</summary>
    private bool _hasEnded;
    private bool _isOver;

    private EventSocket? _socket;
    private int _sockets;
    private int _failures;

    /// <summary>The number of known events when the latest socket was opened.</summary>
    private int _knownBefore;

    /// <summary>The first event of the socket, while the history before it is read.</summary>
    private ExecutionEvent? _held;

    /// <summary>Returns the next event; null at the end.</summary>
    internal async Task<ExecutionEvent?> NextAsync()
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (_found.Count == 0 && !_isOver)
        {
            await (_isHistoryRead ? ListenAsync() : ReadPageAsync()).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return _found.TryDequeue(out var executionEvent) ? executionEvent : null;
    }

    /// <summary>Closes the socket.</summary>
    public ValueTask DisposeAsync() => _socket?.DisposeAsync() ?? ValueTask.CompletedTask;

    private async Task ReadPageAsync()
    {
        EventPage page;
        try
        {
            page = await connection.CallAsync(
                "Execution.Follow",
                options,
                call => EventPage.ReadAsync(call, executionId, LargePages, _cursor),
                executionId,
                cancellationToken).ConfigureAwait(false);
        }
        catch (SvcException failure) when (_hasBegun)
        {
            var socket = _socket ??= Connect();
            await RecoverAsync(socket, failure, FailuresAfter(socket)).ConfigureAwait(false);
            return;
        }

        _hasBegun = true;
        foreach (var executionEvent in page.Events)
        {
            // Events without an id cannot be compared, so only the first history gives them.
            if (IsNew(executionEvent) || (executionEvent.Ulid.Length == 0 && !_hasHistory))
            {
                Give(executionEvent);
            }
        }

        _cursor = page.NextCursor ?? _cursor;
        _isHistoryRead = page.NextCursor is null;
        _hasHistory |= _isHistoryRead;
        _isOver |= _isHistoryRead && _hasEnded;
    }

    /// <summary>Reads the next event of the socket, which is opened if there is none.</summary>
    private async Task ListenAsync()
    {
        var socket = _socket ??= Connect();
        ExecutionEvent? executionEvent;
        try
        {
            executionEvent = _held ?? await socket.ReadAsync().ConfigureAwait(false);
        }
        catch (SvcException failure)
        {
            await RecoverAsync(socket, failure, FailuresAfter(socket)).ConfigureAwait(false);
            return;
        }

        if (executionEvent is null)
        {
            await CheckEndAsync(socket).ConfigureAwait(false);
        }
        else if (_held is null && socket.IsAtFirst && IsNew(executionEvent))
        {
            // More happened since the last page than the socket replays.
            _held = executionEvent;
            _isHistoryRead = false;
        }
        else
        {
            _held = null;
            if (IsNew(executionEvent))
            {
                Give(executionEvent);
            }
        }
    }

    private EventSocket Connect()
    {
        _knownBefore = _known.Count;
        return new EventSocket(connection, executionId, options, ++_sockets, cancellationToken);
    }

    /// <summary>
    /// Reads the record of the run, whose socket was closed without a final event: a branch has none, but a proxy may have closed
    /// the socket. What is left of a run that has ended is in its history.
    /// </summary>
    private async Task CheckEndAsync(EventSocket socket)
    {
        var failures = FailuresAfter(socket);
        SvcException? failure;
        try
        {
            var record = await connection.CallAsync(
                "Execution.Follow",
                options,
                call => ExecutionRecord.ReadAsync(call, executionId),
                executionId,
                cancellationToken).ConfigureAwait(false);
            failure = record.HasEnded ? null : socket.Interrupt();
        }
        catch (SvcException unread)
        {
            failure = unread;
        }

        if (failure is not null)
        {
            await RecoverAsync(socket, failure, failures).ConfigureAwait(false);
            return;
        }

        await socket.DisposeAsync().ConfigureAwait(false);
        (_socket, _isHistoryRead, _hasEnded) = (null, false, true);
    }

    /// <summary>Returns how many sockets were lost one after another, this one included.</summary>
    private int FailuresAfter(EventSocket socket)
    {
        var isFruitful = _known.Count > _knownBefore || socket.Lasted > connection.Settings.MaxRetryDelay;
        return isFruitful ? 1 : _failures + 1;
    }

    /// <summary>Waits before the next socket, or throws the failure of the last one.</summary>
    private async Task RecoverAsync(EventSocket socket, SvcException failure, int failures)
    {
        _failures = failures;
        var delay = socket.DelayAfter(failure, failures);
        await socket.DisposeAsync().ConfigureAwait(false);
        (_socket, _held, _isHistoryRead) = (null, null, false);
        if (delay is not { } time)
        {
            throw failure;
        }

        await Task.Delay(time, cancellationToken).ConfigureAwait(false);
    }

    private bool IsNew(ExecutionEvent executionEvent) => executionEvent.Ulid.Length > 0 && !_known.Contains(executionEvent.Ulid);

    private void Give(ExecutionEvent executionEvent)
    {
        if (_isOver)
        {
            return;
        }

        if (executionEvent.Ulid.Length > 0)
        {
            _known.Add(executionEvent.Ulid);
        }

        _found.Enqueue(executionEvent);
        _isOver = executionEvent.Type is ExecutionEvent.Types.FlowCompleted or ExecutionEvent.Types.FlowFailed;
    }
}
