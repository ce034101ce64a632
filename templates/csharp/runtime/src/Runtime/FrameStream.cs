using System.Globalization;

namespace Svc.Runtime;

/// <summary>The output of a call, read from the frames of its response.</summary>
internal sealed class FrameStream<T>(
    Connection connection,
    StreamRequest<T> request,
    CallOptions? options,
    CancellationToken caller) : StreamedOutput<T>
{
    private readonly OpenStream _stream = new();
    private LogicalCall? _call;
    private CallTelemetry? _telemetry;
    private Task<ApiResponse>? _opening;
    private Frame? _frame;
    private ApiResponse? _answer;
    private T? _current;
    private bool _isRead;
    private bool _isWaiting;
    private bool _isClosed;

    /// <inheritdoc/>
    public override string? ExecutionId => _call?.ExecutionId;

    /// <inheritdoc/>
    public override async Task<ApiResponse> GetResponseAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isClosed && _opening is null, this);
        cancellationToken.ThrowIfCancellationRequested();
        var opening = OpenAsync();
        using var registration = _isWaiting ? _call?.CancelWith(cancellationToken) : null;
        return await opening.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        if (_isRead || (_isClosed && _opening is null or { IsCompletedSuccessfully: true }))
        {
            throw new InvalidOperationException("a stream can be read once: call the method again for another one");
        }

        _isRead = true;
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            var opening = OpenAsync();
            using var registration = _isClosed ? null : _call?.CancelWith(cancellationToken);
            var head = await opening.ConfigureAwait(false);
            while (await AdvanceAsync(head).ConfigureAwait(false))
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
        if (_isWaiting)
        {
            // Whoever waits for the response closes it.
            _call?.Stop();
            return;
        }

        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        await _stream.CloseAsync(isAtEnd: _frame is { IsFinal: true }).ConfigureAwait(false);
        if (_call is not null)
        {
            _telemetry?.Count(_call.Attempts, _call.ExecutionId);
            _telemetry?.Dispose();
            _call.Dispose();
        }
    }

    private Task<ApiResponse> OpenAsync() => _opening ??= BeginAsync();

    private async Task<ApiResponse> BeginAsync()
    {
        _call = connection.Begin(options, Settings.UsualStreamTimeout, caller);
        _telemetry = new CallTelemetry(request.Operation);
        if (request.Inputs is not null)
        {
            _call.SendOnce();
        }

        try
        {
            return await WaitAsync(SendAsync(_call)).ConfigureAwait(false);
        }
        catch
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task<ApiResponse> SendAsync(LogicalCall call)
    {
        ApiResponse head;
        try
        {
            head = await call.PostStreamAsync(request.Path, () => request.ContentOf(call), _stream).ConfigureAwait(false);
        }
        catch (Exception) when (request.Inputs?.Failure is { } failure)
        {
            failure.Throw();
            throw;
        }

        return _stream.Events is null ? throw Answers.Invalid(head, "not an event stream") : head;
    }

    /// <summary>Reads up to the next message. Returns false at the end.</summary>
    private async Task<bool> AdvanceAsync(ApiResponse head)
    {
        try
        {
            return await WaitAsync(ReadAsync(_call!, head)).ConfigureAwait(false);
        }
        catch (SvcException failure)
        {
            _call!.LogFailure(failure);
            throw;
        }
    }

    /// <summary>Awaits the service. Adds to failures what is known of the call.</summary>
    private async Task<TResult> WaitAsync<TResult>(Task<TResult> task)
    {
        _isWaiting = true;
        try
        {
            return await task.ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            _call?.Describe(failure);
            _telemetry?.Fail(failure);
            throw;
        }
        finally
        {
            _isWaiting = false;
        }
    }

    private async Task<bool> ReadAsync(LogicalCall call, ApiResponse head)
    {
        if (_frame is { IsFinal: true })
        {
            CheckEnd(_frame, _answer!);
            return false;
        }

        _answer = head.WithBody(await ReadDataAsync(call, head).ConfigureAwait(false));
        _frame = Frame.Read(_answer);
        call.ExecutionId ??= _frame.ExecutionId;
        head.ExecutionId ??= call.ExecutionId;
        _answer.ExecutionId ??= call.ExecutionId;
        if (_frame.Payload is { } payload)
        {
            _current = Answers.Read(request.Output, payload, _answer);
            return true;
        }

        if (!_frame.IsFinal)
        {
            throw Answers.Invalid(_answer, $"frame {_frame.Index} has no payload");
        }

        CheckEnd(_frame, _answer);
        return false;
    }

    private async Task<byte[]> ReadDataAsync(LogicalCall call, ApiResponse head)
    {
        try
        {
            return await _stream.Events!.ReadAsync(call.Ending).ConfigureAwait(false)
                ?? throw new StreamInterruptedException("the stream was cut off: there was no last frame", head);
        }
        catch (Exception problem) when (LogicalCall.IsOfTransport(problem))
        {
            throw call.InterruptionOf(problem, head);
        }
    }

    private void CheckEnd(Frame frame, ApiResponse answer)
    {
        var run = answer.ExecutionId is { } id ? $" (execution {id})" : "";
        if (!frame.IsSuccess)
        {
            throw request.Failure($"{frame.Error ?? "no error message"}{run}", answer);
        }

        if (request.Inputs is { } inputs && frame.InputFrames != inputs.Count.ToString(CultureInfo.InvariantCulture))
        {
            throw new StreamInterruptedException(
                $"the service received {frame.InputFrames} of {inputs.Count} input messages{run}",
                answer);
        }
    }
}
