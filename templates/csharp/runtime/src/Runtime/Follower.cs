using System.Diagnostics;

namespace Svc.Runtime;

/// <summary>
/// Follows a run: returns its history page by page, then live events from a WebSocket. After a lost socket, it resumes from the last
/// page. Where sockets are blocked, it polls the pages. Each event is returned once.
/// </summary>
internal sealed class Follower(
    Connection connection,
    string executionId,
    CallOptions? options,
    CancellationToken cancellationToken) : IAsyncDisposable
{
    /// <summary>The number of consecutive sockets that fail to become ready before pages are polled instead.</summary>
    private const int MostBlocked = 3;

    private static readonly EventFilter LargePages = new() { PageSize = 1000 };

    private readonly Queue<ExecutionEvent> _found = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private string? _cursor;

    /// <summary>Whether a page has been read. Until then, a failure is handled like that of any call.</summary>
    private bool _hasBegun;

    /// <summary>Whether all pages have been read at least once.</summary>
    private bool _hasHistory;
    private bool _isHistoryRead;

    /// <summary>Whether the run has ended, so that the history is complete.</summary>
    private bool _hasEnded;
    private bool _isOver;

    /// <summary>The call that read the latest page or record.</summary>
    private LogicalCall? _reader;

    private EventSocket? _socket;
    private int _sockets;

    /// <summary>The number of consecutive failures of requests and sockets.</summary>
    private int _failures;
    private int _blocked;

    /// <summary>The time at which the latest socket failed.</summary>
    private long _blockedAt;

    /// <summary>
    /// The number of known events when the latest socket was opened, at the latest failure, or when the history was last read to its end.
    /// </summary>
    private int _knownBefore;

    /// <summary>The first event of the socket, held back while the history before it is read.</summary>
    private ExecutionEvent? _held;

    private FollowTimes Times => connection.FollowTimes;

    /// <summary>Whether pages are polled instead of a socket.</summary>
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
            // Events without an id cannot be deduplicated, so only the first pass returns them.
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

    /// <summary>Reads the next event of the socket, opening one if necessary.</summary>
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
            // Events may be missing between the last page and the socket's replay.
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
    /// Checks the record of the run after a normal close without a final event. Either the run is a branch, which has no final event,
    /// or a proxy closed the socket. The remaining events of an ended run are in its history.
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
    /// Waits before the next poll of the history. If the previous poll brought no new event, first checks whether the run has ended.
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
    /// Reads a page or the record of the run. After the first page, the request is not retried and does not use the retry budget: the
    /// loop continues after a failure.
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

    /// <summary>Returns the number of consecutive failures, including the current one.</summary>
    private int FailuresAfter(EventSocket? socket)
    {
        var isFruitful = _known.Count > _knownBefore || (socket?.Lasted > connection.Settings.MaxRetryDelay && socket.Lasted > Times.LeastLasting);
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

        // A blocked socket is replaced by pages, so it does not count as a failure.
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
