using System.Diagnostics;

namespace Svc.Runtime;

/// <summary>
/// Follows a run: gives its history page by page, then what happens, by a WebSocket. After a lost socket both again, from the
/// last page on. Where sockets are blocked, by pages alone. No event is given twice.
/// </summary>
internal sealed class Follower(
    Connection connection,
    string executionId,
    CallOptions? options,
    CancellationToken cancellationToken) : IAsyncDisposable
{
    /// <summary>After how many sockets in a row that did not become ready the run is followed by pages alone.</summary>
    private const int MostBlocked = 3;

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

    /// <summary>The call that read the latest page or record.</summary>
    private LogicalCall? _reader;

    private EventSocket? _socket;
    private int _sockets;

    /// <summary>How many requests and sockets have failed one after another.</summary>
    private int _failures;
    private int _blocked;

    /// <summary>When the latest socket turned out to be blocked.</summary>
    private long _blockedAt;

    /// <summary>
    /// The number of known events when the latest socket was opened, at the latest failure, or when the history was last read to its end.
    /// </summary>
    private int _knownBefore;

    /// <summary>The first event of the socket, while the history before it is read.</summary>
    private ExecutionEvent? _held;

    private FollowTimes Times => connection.FollowTimes;

    /// <summary>Whether pages are read instead of a socket.</summary>
    private bool IsBlocked =>
        _socket is null && _blocked >= MostBlocked && Stopwatch.GetElapsedTime(_blockedAt) < Times.SocketRetry;

    /// <summary>Returns the next event; null at the end.</summary>
    internal async Task<ExecutionEvent?> NextAsync()
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (_found.Count == 0 && !_isOver)
        {
            var next = !_isHistoryRead ? ReadPageAsync() : IsBlocked ? AwaitPageAsync() : ListenAsync();
            await next.ConfigureAwait(false);
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
            page = await ReadAsync(get => EventPage.ReadAsync(get, executionId, LargePages, _cursor)).ConfigureAwait(false);
        }
        catch (SvcException failure) when (_hasBegun)
        {
            await RecoverAsync(failure, _reader!).ConfigureAwait(false);
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
            await RecoverAsync(failure, socket.Call).ConfigureAwait(false);
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
    /// Checks the record of the run after a normal close without a final event. A branch has no final event, but a proxy may also
    /// have closed the socket. The remaining events of an ended run are in its history.
    /// </summary>
    private async Task CheckEndAsync(EventSocket socket)
    {
        var failures = FailuresAfter(socket);
        bool hasEnded;
        try
        {
            hasEnded = await HasEndedAsync().ConfigureAwait(false);
        }
        catch (SvcException failure)
        {
            await RecoverAsync(failure, _reader!, failures).ConfigureAwait(false);
            return;
        }

        if (!hasEnded)
        {
            await RecoverAsync(socket.Interrupt(), socket.Call, failures).ConfigureAwait(false);
            return;
        }

        await socket.DisposeAsync().ConfigureAwait(false);
        (_socket, _isHistoryRead, _hasEnded) = (null, false, true);
    }

    /// <summary>
    /// Waits before the history is read again. If that brought nothing new the last time, reads first whether the run has ended.
    /// </summary>
    private async Task AwaitPageAsync()
    {
        try
        {
            _hasEnded = _known.Count == _knownBefore && await HasEndedAsync().ConfigureAwait(false);
        }
        catch (SvcException failure)
        {
            await RecoverAsync(failure, _reader!).ConfigureAwait(false);
            return;
        }

        (_isHistoryRead, _knownBefore, _failures) = (false, _known.Count, 0);
        if (!_hasEnded)
        {
            await Task.Delay(RetryPolicy.DelayOfPoll(Times.PageDelay), cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<bool> HasEndedAsync()
    {
        var record = await ReadAsync(get => ExecutionRecord.ReadAsync(get, executionId)).ConfigureAwait(false);
        return record.HasEnded;
    }

    /// <summary>
    /// Reads a page or the record of the run. After the first page, sends one request, which takes nothing from the retry budget: the
    /// loop goes on after a failure.
    /// </summary>
    private Task<T> ReadAsync<T>(Func<Func<string, Task<ApiResponse>>, Task<T>> read) => connection.CallAsync(
        "Execution.Follow",
        options,
        call =>
        {
            _reader = call;
            return read(_hasBegun ? path => call.GetOnceAsync(path, _failures + 1) : call.GetAsync);
        },
        executionId,
        cancellationToken);

    /// <summary>Returns how many requests and sockets have failed one after another, with the one that failed now.</summary>
    private int FailuresAfter(EventSocket? socket)
    {
        var isFruitful = _known.Count > _knownBefore || socket?.Lasted > connection.Settings.MaxRetryDelay;
        return isFruitful ? 1 : _failures + 1;
    }

    private Task RecoverAsync(SvcException failure, LogicalCall call) => RecoverAsync(failure, call, FailuresAfter(_socket));

    /// <summary>Waits before the history is read again, or throws the failure.</summary>
    private async Task RecoverAsync(SvcException failure, LogicalCall call, int failures)
    {
        _blocked = _socket switch
        {
            null => _blocked,
            { IsReady: true } => 0,
            _ => _blocked + 1,
        };
        var isBlocked = _socket is not null && _blocked >= MostBlocked;
        var delay = call.DelayBeforeReconnect(failure, failures, isBlocked ? RetryPolicy.DelayOfPoll(Times.PageDelay) : null);

        // Pages take the place of a blocked socket, so it does not count as a lost one.
        _failures = isBlocked ? 0 : failures;
        if (_socket is not null)
        {
            _blockedAt = Stopwatch.GetTimestamp();
            await _socket.DisposeAsync().ConfigureAwait(false);
        }

        (_socket, _held, _isHistoryRead, _knownBefore) = (null, null, false, _known.Count);
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
        _isOver = executionEvent.Type.Name is ExecutionEventType.Names.FlowCompleted or ExecutionEventType.Names.FlowFailed;
    }
}
