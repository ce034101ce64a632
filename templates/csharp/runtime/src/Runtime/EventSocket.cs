using System.Diagnostics;

namespace Svc.Runtime;

/// <summary>The live events of a run from one WebSocket, which is opened by the first read.</summary>
internal sealed class EventSocket(
    Connection connection,
    string executionId,
    CallOptions? options,
    int number,
    CancellationToken cancellationToken) : IAsyncDisposable
{
    private readonly OpenSocket _socket = new();
    private readonly LogicalCall _call = connection
        .Begin(options, Settings.UsualTimeout, cancellationToken)
        .Within(connection.FollowTimes.SocketTimeout);
    private readonly CallTelemetry _telemetry = new("Execution.Follow");
    private ApiResponse? _head;
    private long _readySince;
    private int _count;

    /// <summary>The time since the socket became ready.</summary>
    internal TimeSpan Lasted => IsReady ? Stopwatch.GetElapsedTime(_readySince) : TimeSpan.Zero;

    /// <summary>The call that opens the socket.</summary>
    internal LogicalCall Call => _call;

    /// <summary>Whether the socket became ready.</summary>
    internal bool IsReady => _readySince != 0;

    /// <summary>Whether the last event was the first one.</summary>
    internal bool IsAtFirst => _count == 1;

    /// <summary>Returns the next event that has an id; null after a normal close.</summary>
    /// <exception cref="SvcException">The socket was rejected or lost, or a message is invalid.</exception>
    internal async Task<ExecutionEvent?> ReadAsync()
    {
        try
        {
            while (true)
            {
                var executionEvent = await ReadMessageAsync().ConfigureAwait(false);
                if (executionEvent is null or { Type.Name: not "SESSION_READY", Ulid.Length: > 0 })
                {
                    _count++;
                    return executionEvent;
                }
            }
        }
        catch (Exception failure)
        {
            Describe(failure);
            throw;
        }
    }

    /// <summary>Returns the exception for a normal close before the end of the run.</summary>
    internal StreamInterruptedException Interrupt()
    {
        var failure = _socket.InterruptionOf(_head!);
        Describe(failure);
        return failure;
    }

    /// <summary>Closes the socket.</summary>
    public async ValueTask DisposeAsync()
    {
        await _socket.DisposeAsync().ConfigureAwait(false);
        _telemetry.Count(_call.Sent, executionId);
        _telemetry.Dispose();
        _call.Dispose();
    }

    private void Describe(Exception failure)
    {
        _call.Describe(failure);
        _telemetry.Fail(failure);
    }

    private async Task<ExecutionEvent?> ReadMessageAsync()
    {
        var head = _head ??= await OpenAsync().ConfigureAwait(false);
        byte[]? message;
        try
        {
            message = await _socket.ReadAsync(head, _call.Ending).ConfigureAwait(false);
        }
        catch (Exception problem) when (LogicalCall.IsOfTransport(problem))
        {
            throw _call.InterruptionOf(problem, head);
        }

        if (message is null)
        {
            return _socket.IsCompleted ? null : throw _socket.InterruptionOf(head);
        }

        if (!IsReady)
        {
            _readySince = Stopwatch.GetTimestamp();
            _call.LiftDeadline();
        }

        return new ExecutionEvent(Responses.ObjectOf(head.WithBody(message)));
    }

    private async Task<ApiResponse> OpenAsync()
    {
        _call.ExecutionId = executionId;
        var path = $"/invocations/v1/debug-stream?session_id={executionId}&decode=true";
        return await _call.ConnectAsync(path, _socket, number).ConfigureAwait(false);
    }
}
