namespace Svc.Runtime;

/// <summary>The output of a call, read from the frames of its response.</summary>
internal sealed class FrameStream<T>(
    Connection connection,
    StreamRequest<T> request,
    CallOptions? options,
    CancellationToken caller) : StreamedOutput<T>
{
    /// <summary>
    /// Guards <see cref="_isWaiting"/>, <see cref="_isStopped"/> and <see cref="_isClosed"/>, because any thread can close the stream.
    /// </summary>
    private readonly object _gate = new();
    private readonly CallOptions? _options = options?.Copy();
    private OpenStream _stream = new();
    private LogicalCall? _call;
    private CallTelemetry? _telemetry;
    private Task<ApiResponse>? _opening;
    private Frame? _frame;
    private ApiResponse? _head;
    private ApiResponse? _response;
    private T? _current;
    private string? _lastEventId = request.After;

    /// <summary>Whether another connection can resume after the last message. A message without an id would be returned twice.</summary>
    private bool _canReadOn = request.IsStored;

    /// <summary>Whether this connection has received a message with a new id.</summary>
    private bool _hasProgress;
    private bool _isRead;
    private bool _isWaiting;

    /// <summary>Whether the stream was closed during a wait.</summary>
    private bool _isStopped;
    private bool _isClosed;

    /// <inheritdoc/>
    public override string? ExecutionId => _call?.ExecutionId;

    /// <inheritdoc/>
    public override string? LastEventId => _lastEventId;

    /// <inheritdoc/>
    public override async Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isClosed && _opening is null, typeof(StreamedOutput<T>));
        cancellationToken.ThrowIfCancellationRequested();
        var opening = OpenAsync();
        using var registration = _isWaiting ? _call?.CancelWith(cancellationToken) : null;
        return await opening.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        StreamedOutput.CheckUnread<T>(_isRead, _isClosed && _opening is null or { IsCompletedSuccessfully: true });
        _isRead = true;
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            var opening = OpenAsync();
            using var registration = _isClosed ? null : _call?.CancelWith(cancellationToken);
            _head = await opening.ConfigureAwait(false);
            while (await AdvanceAsync().ConfigureAwait(false))
            {
                yield return _current!;
            }
        }
        finally
        {
            await DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        bool isWaiting;
        lock (_gate)
        {
            isWaiting = _isWaiting;
            if (!isWaiting && _isClosed)
            {
                return;
            }

            _isStopped |= isWaiting;
            _isClosed |= !isWaiting;
        }

        if (isWaiting)
        {
            // The call that is waiting for the response closes it.
            _call?.Stop();
            return;
        }

        await _stream.CloseAsync(isAtEnd: _frame is { IsFinal: true }).ConfigureAwait(false);
        if (_call is not null)
        {
            _telemetry?.Count(_call.Sent, _call.ExecutionId);
            _telemetry?.Dispose();
            _call.Dispose();
        }
    }

    private Task<ApiResponse> OpenAsync() => _opening ??= BeginAsync();

    private async Task<ApiResponse> BeginAsync()
    {
        lock (_gate)
        {
            CheckOpen();
            _call = connection.Begin(_options, Settings.UsualStreamTimeout, caller);
            _isWaiting = true;
        }

        _telemetry = new CallTelemetry(request.Operation);
        try
        {
            var head = await WaitAsync(() => SendAsync(_call)).ConfigureAwait(false);
            return _isStopped ? throw StreamedOutput.Closed() : head;
        }
        catch
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task<ApiResponse> SendAsync(LogicalCall call)
    {
        var sending = request.Inputs is { } inputs
            ? call.UploadAsync(RequestOf(call), inputs)
            : call.ExchangeAsync(RequestOf(call));
        return Check(await sending.ConfigureAwait(false));
    }

    private Outgoing RequestOf(LogicalCall call) => request.ContentOf is { } contentOf
        ? new Outgoing(HttpMethod.Post, request.Path, () => contentOf(call)) { Stream = _stream }
        : new Outgoing(HttpMethod.Get, request.Path) { Stream = _stream, LastEventId = _lastEventId };

    /// <summary>Rejects a response without events, unless the reader of a stored stream started after the last event.</summary>
    private ApiResponse Check(ApiResponse head) => _stream.Events is null && !(request.IsStored && head.Status == 204 && _frame is null)
        ? throw Responses.Invalid(head, "not an event stream")
        : head;

    /// <summary>Reads up to the next message. Returns false at the end.</summary>
    private async Task<bool> AdvanceAsync()
    {
        lock (_gate)
        {
            CheckOpen();
            _isWaiting = true;
        }

        return await WaitAsync(() => ReadAsync(_call!)).ConfigureAwait(false);
    }

    /// <summary>Throws instead of waiting for the service if the stream was closed before its last message was read.</summary>
    private void CheckOpen()
    {
        if (_isClosed && _frame is not { IsFinal: true })
        {
            throw StreamedOutput.Closed();
        }
    }

    /// <summary>
    /// Awaits the service, and resets <see cref="_isWaiting"/>. Adds the details of the call to failures, and logs them.
    /// </summary>
    private async Task<TResult> WaitAsync<TResult>(Func<Task<TResult>> ask)
    {
        try
        {
            return await ask().ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            _call!.Describe(failure);
            _telemetry!.Fail(failure);
            if (failure is SvcException logged)
            {
                _call.LogFailure(logged);
            }

            throw;
        }
        finally
        {
            lock (_gate)
            {
                _isWaiting = false;
            }
        }
    }

    private async Task<bool> ReadAsync(LogicalCall call)
    {
        if (_frame is { IsFinal: true })
        {
            CheckEnd(_frame, _response!);
            return false;
        }

        if (await NextDataAsync(call).ConfigureAwait(false) is not { } data)
        {
            return false;
        }

        _response = _head!.WithBody(data);
        _frame = Frame.Read(_response);
        call.ExecutionId ??= _frame.ExecutionId;
        _head.ExecutionId ??= call.ExecutionId;
        _response.ExecutionId ??= call.ExecutionId;
        if (_frame.Payload is not null || !_frame.IsFinal)
        {
            _current = _frame.MessageOf(request.Output, _response);
            return true;
        }

        CheckEnd(_frame, _response);
        return false;
    }

    /// <summary>Returns the data of the next event, reconnecting if the connection is lost; null if there are no more.</summary>
    private async Task<byte[]?> NextDataAsync(LogicalCall call)
    {
        while (_stream.Events is { } events)
        {
            try
            {
                var data = await ReadDataAsync(call, events).ConfigureAwait(false);
                _canReadOn = request.IsStored && events.HasOwnId;
                _hasProgress |= events.HasOwnId && events.LastId != _lastEventId;
                _lastEventId = events.LastId ?? _lastEventId;
                return data;
            }
            catch (StreamInterruptedException failure) when (_canReadOn)
            {
                await _stream.CloseAsync(isAtEnd: false).ConfigureAwait(false);
                _stream = new OpenStream();
                var head = await call.ReadOnAsync(RequestOf(call), failure, _hasProgress).ConfigureAwait(false);
                _hasProgress = false;
                _head = Check(head);
            }
        }

        return null;
    }

    private async Task<byte[]> ReadDataAsync(LogicalCall call, EventReader events)
    {
        try
        {
            return await events.ReadAsync(call.Ending).ConfigureAwait(false)
                ?? throw new StreamInterruptedException("the stream was cut off: there was no last frame", _head!);
        }
        catch (ValueException problem)
        {
            throw Responses.Invalid(_head!, problem.Message, problem);
        }
        catch (Exception problem) when (problem is not (SvcException or ObjectDisposedException))
        {
            throw call.InterruptionOf(problem, _head!);
        }
    }

    private void CheckEnd(Frame frame, ApiResponse response)
    {
        if (!frame.IsSuccess)
        {
            throw request.Failure(frame.ReasonOf(response), response);
        }

        request.Inputs?.CheckArrival(frame.InputFrames, response);
    }
}
