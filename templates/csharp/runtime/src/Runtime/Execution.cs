using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>The characters of execution ids.</summary>
internal static class ExecutionId
{
    internal static bool Fits(string id) => id.Length == 32 && id.All(char.IsAsciiHexDigit);

    /// <summary>Validates an id of the caller and returns it.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal static string Check(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        return Fits(id) ? id : throw new ArgumentException("the execution id must be 32 hexadecimal digits", nameof(id));
    }

    /// <summary>Returns the id of the run in a response.</summary>
    internal static string In(JsonElement fields, ApiResponse response)
    {
        var id = Responses.RequiredText(fields, "execution_id", response);
        return Fits(id) ? id : throw Responses.Invalid(response, "execution_id is malformed");
    }
}

/// <summary>A handle to a run of a flow, created by starting the flow or from the id of an earlier run.</summary>
/// <typeparam name="T">The output of the flow.</typeparam>
public class Execution<T>
{
    private const string Path = "/invocations/v1/executions/";

    // Limits of the delay between polls of a run.
    private static readonly TimeSpan FirstLook = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestLook = TimeSpan.FromSeconds(2);

    /// <summary>The maximum delay of the final event after a run has completed.</summary>
    private static readonly TimeSpan LongestLag = TimeSpan.FromSeconds(10);

    private readonly Connection? _connection;
    private readonly Codec<T> _output;

    internal Execution(Connection connection, string id, Codec<T> output)
    {
        _connection = connection;
        _output = output;
        Id = id;
    }

    /// <summary>
    /// Creates a handle to mock. Its members are virtual; those that are not overridden throw a <see cref="NotSupportedException"/>.
    /// </summary>
    protected Execution()
    {
        _output = null!;
        Id = "";
    }

    /// <summary>The execution id.</summary>
    public virtual string Id { get; }

    /// <summary>Retrieves the current state of the run.</summary>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The record.</returns>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual Task<ExecutionRecord> GetAsync(
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => CallAsync("Get", options, GetAsync, cancellationToken);

    /// <summary>Cancels the run and asks its running nodes to stop.</summary>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The record of the cancelled run.</returns>
    /// <exception cref="StatusException">The run has already ended: status 409.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual Task<ExecutionRecord> CancelAsync(
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => CallAsync(
            "Cancel",
            options,
            CancelAsync,
            cancellationToken);

    /// <summary>Lists the pauses of the run, oldest first. At most one is waiting.</summary>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The pauses.</returns>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual IAsyncEnumerable<Pause> ListPausesAsync(
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => ReadPausesAsync(options?.Copy(), cancellationToken);

    /// <summary>
    /// Decides on a pause of the run, which then continues. The first decision wins; for a later one, <c>AlreadyResumed</c> is true. The
    /// <see cref="SvcException.ErrorCode"/> gives the reason of a rejection. After <c>invalid_resume_value</c>, the pause still waits.
    /// </summary>
    /// <param name="pauseId">The id of the pause.</param>
    /// <param name="decision">The decision, such as <see cref="PauseDecision.Default"/> for the default of every field.</param>
    /// <param name="resumedBy">Who decides. Recorded in the pause and passed to the node.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The resumed pause.</returns>
    /// <exception cref="ArgumentException">The id of the pause is empty, or a text is not valid Unicode.</exception>
    /// <exception cref="BadRequestException">The decision has the wrong type, or the pause belongs to another run.</exception>
    /// <exception cref="NotFoundException">The run or the pause does not exist.</exception>
    /// <exception cref="StatusException">The pause is no longer waiting, or the run has ended: status 409.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual async Task<ResumedPause> ResumeAsync(
        string pauseId,
        PauseDecision decision,
        string? resumedBy = null,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(pauseId);
        ArgumentNullException.ThrowIfNull(decision);
        var body = decision.BodyOf(JsonText.CheckArgument(pauseId), resumedBy is null ? null : JsonText.CheckArgument(resumedBy));
        return await CallAsync("Resume", options, SendAsync, cancellationToken).ConfigureAwait(false);

        async Task<ResumedPause> SendAsync(LogicalCall call) => ResumedPause.Read(
            await call.PostAsync($"/invocations/v1/flows/{Id}/resume", () => body).ConfigureAwait(false));
    }

    /// <summary>
    /// Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends with the status
    /// <see cref="ExecutionStatus.Forked"/>. App keys cannot fork.
    /// </summary>
    /// <param name="fork">The checkpoint and the input of the next node; by default, the latest checkpoint and its input.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The fork.</returns>
    /// <exception cref="IdempotencyMismatchException">The idempotency key was already used for a different request.</exception>
    /// <exception cref="NotFoundException">The run or the checkpoint does not exist.</exception>
    /// <exception cref="StatusException">The run cannot be forked: status 409.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual async Task<Execution<T>> ForkAsync(
        ForkOptions? fork = null,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        var body = PauseDecision.ForkBody(fork);
        return await CallAsync("Fork", options, SendAsync, cancellationToken).ConfigureAwait(false);

        async Task<Execution<T>> SendAsync(LogicalCall call)
        {
            var response = await call.PostAsync($"{Path}{Id}/fork", () => body, isRun: true).ConfigureAwait(false);
            return new(_connection!, ExecutionId.In(Responses.ObjectOf(response), response), _output);
        }
    }

    /// <summary>
    /// Waits for the run to end and returns its output. The wait survives an outage of the service, unless
    /// <see cref="CallOptions.MaxRetries"/> is 0. It polls the run. Each poll times out after <see cref="CallOptions.AttemptTimeout"/>,
    /// or after 30 seconds if that is not set.
    /// </summary>
    /// <param name="options">Options of this call. The timeout limits the wait; it is 60 seconds by default.</param>
    /// <param name="cancellationToken">Cancels the wait, not the run.</param>
    /// <returns>The output.</returns>
    /// <exception cref="FlowFailedException">The run failed or was cancelled.</exception>
    /// <exception cref="FlowPausedException">The run is waiting for a decision.</exception>
    /// <exception cref="WaitTimeoutException">The run did not end in time. It may still be running.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual Task<T> WaitAsync(CallOptions? options = null, CancellationToken cancellationToken = default) =>
        CallAsync(
            "Wait",
            options,
            async call => (await WaitAsync(call).ConfigureAwait(false)).Value,
            cancellationToken);

    /// <summary>
    /// Returns the events recorded so far, oldest first. It does not wait for new events, even if the run continues; use
    /// <see cref="FollowAsync"/> for that. Pages load lazily.
    /// </summary>
    /// <param name="filter">The events to include; all by default.</param>
    /// <param name="options">Options of the call for each page.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The events.</returns>
    /// <exception cref="SvcException">A call failed.</exception>
    public virtual IAsyncEnumerable<ExecutionEvent> ListEventsAsync(
        EventFilter? filter = null,
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => ReadEventsAsync(filter, options?.Copy(), cancellationToken);

    /// <summary>
    /// Returns all events of the run: first those recorded so far, oldest first, then each new one as it happens. The sequence ends
    /// after the last event, even if the run fails, and stays open while the run is paused. A lost connection is re-established. Up to
    /// eight consecutive reconnects, or <see cref="CallOptions.MaxRetries"/> if that is more, may bring no new event; 0 disables
    /// reconnects. After three consecutive WebSockets that were not ready within ten seconds, it polls the recorded events about once a
    /// second instead, and tries another WebSocket every minute. Leaving the loop closes the connection.
    /// </summary>
    /// <param name="options">
    /// Options of the calls. The timeout applies to each page and to the opening of each connection, not to the whole sequence.
    /// </param>
    /// <param name="cancellationToken">Ends the sequence.</param>
    /// <returns>The events.</returns>
    /// <exception cref="StreamInterruptedException">The connection was lost too often.</exception>
    /// <exception cref="SvcException">A call failed.</exception>
    public virtual IAsyncEnumerable<ExecutionEvent> FollowAsync(
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => FollowEventsAsync(options?.Copy(), cancellationToken);

    /// <summary>Shows the execution id.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"execution {Id}";

    /// <summary>
    /// Polls the run until it ends or pauses. Polls are not retried; after a transient failure, the next poll acts as the retry, so the
    /// wait survives an outage.
    /// </summary>
    internal async Task<ApiResponse<T>> WaitAsync(LogicalCall call)
    {
        long endedAt = 0;
        SvcException? lost = null;
        var isRunning = false;
        try
        {
            for (var longest = FirstLook; ; longest = longest * 1.5 < LongestLook ? longest * 1.5 : LongestLook)
            {
                isRunning = false;
                try
                {
                    var response = await call.LookAsync(Path + Id).ConfigureAwait(false);
                    var record = ExecutionRecord.Read(response);
                    if (record.HasEnded)
                    {
                        if (await ResultAsync(call, record, response).ConfigureAwait(false) is { } result)
                        {
                            return result;
                        }

                        endedAt = endedAt == 0 ? Stopwatch.GetTimestamp() : endedAt;
                        if (Stopwatch.GetElapsedTime(endedAt) > LongestLag)
                        {
                            throw Responses.Invalid(response, "the run has completed, but its final event is missing");
                        }
                    }
                    else if (record.PauseId is { } pauseId)
                    {
                        throw new FlowPausedException(Id, pauseId, response);
                    }

                    lost = null;
                    isRunning = true;
                }
                catch (SvcException failure) when (call.OutlastsLook(failure))
                {
                    lost = failure;
                }

                var delay = RetryPolicy.DelayOfPoll(longest, lost?.RetryAfter);
                if (lost is not null)
                {
                    call.LogLook(lost, delay);
                }

                await call.SleepAsync(delay).ConfigureAwait(false);
            }
        }
        catch (CallTimeoutException problem)
        {
            var unread = isRunning ? null : lost ?? problem;
            throw new WaitTimeoutException(Id, problem, problem.IsOfAttempt ? problem : unread);
        }
    }

    internal ApiResponse<T> Read(JsonElement output, ApiResponse response)
    {
        if (output.ValueKind == JsonValueKind.Undefined)
        {
            throw Responses.Invalid(response, "output is missing");
        }

        return new ApiResponse<T>(response, Responses.Read(_output, Responses.RawOf(output, response), response));
    }

    internal FlowFailedException Failed(
        string? reason,
        ApiResponse response,
        ExecutionStatus? status,
        string? failedNodeName = null) =>
        new($"{reason ?? "no error message"}{response.Origin(executionId: Id)}", response, status, failedNodeName);

    private async IAsyncEnumerable<Pause> ReadPausesAsync(
        CallOptions? options,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var page = await CallAsync(
            "ListPauses",
            options,
            async call => PausePage.Read(await call.GetAsync($"{Path}{Id}/pauses").ConfigureAwait(false)),
            cancellationToken).ConfigureAwait(false);
        foreach (var pause in page.Pauses)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return pause;
        }
    }

    private async IAsyncEnumerable<ExecutionEvent> ReadEventsAsync(
        EventFilter? filter,
        CallOptions? options,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? cursor = null;
        do
        {
            var place = cursor;
            var page = await CallAsync(
                "ListEvents",
                options,
                call => EventPage.ReadAsync(call.GetAsync, Id, filter, place),
                cancellationToken).ConfigureAwait(false);
            foreach (var executionEvent in page.Events)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return executionEvent;
            }

            cursor = page.NextCursor;
        }
        while (cursor is not null);
    }

    private async IAsyncEnumerable<ExecutionEvent> FollowEventsAsync(
        CallOptions? options,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var follower = new Follower(Connection.Of(_connection, nameof(FollowAsync)), Id, options, cancellationToken);
        await using (follower.ConfigureAwait(false))
        {
            while (await follower.NextAsync().ConfigureAwait(false) is { } executionEvent)
            {
                yield return executionEvent;
            }
        }
    }

    /// <summary>Performs a call that refers to the run.</summary>
    private Task<TResult> CallAsync<TResult>(
        string verb,
        CallOptions? options,
        Func<LogicalCall, Task<TResult>> perform,
        CancellationToken cancellationToken) =>
        Connection.Of(_connection, $"{verb}Async").CallAsync($"Execution.{verb}", options, perform, Id, cancellationToken);

    private Task<ExecutionRecord> GetAsync(LogicalCall call) => ExecutionRecord.ReadAsync(call.GetAsync, Id);

    /// <summary>Cancels the run. Succeeds if an earlier attempt cancelled it and its response was lost.</summary>
    private async Task<ExecutionRecord> CancelAsync(LogicalCall call)
    {
        var request = new Outgoing(HttpMethod.Post, $"{Path}{Id}/cancel", () => LogicalCall.JsonContent("{}"u8.ToArray()))
        {
            MayBeSuccess = IsLate,
        };
        try
        {
            return ExecutionRecord.Read(await call.ExchangeAsync(request).ConfigureAwait(false));
        }
        catch (StatusException failure) when (IsLate(failure))
        {
            var record = await FindAsync(call).ConfigureAwait(false);
            if (record?.Status != ExecutionStatus.Cancelled)
            {
                call.LogFailure(failure, request);
                throw;
            }

            return record;
        }

        static bool IsLate(SvcException failure) => failure is { Attempts: > 1, Status: 409 }
            && string.Equals(failure.ErrorCode, "execution_not_cancellable", StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Retrieves the state of the run; null if that fails.</summary>
    private async Task<ExecutionRecord?> FindAsync(LogicalCall call)
    {
        try
        {
            return await GetAsync(call).ConfigureAwait(false);
        }
        catch (SvcException)
        {
            return null;
        }
    }

    /// <summary>
    /// Reads the result of an ended run from its final event. Returns null if the run completed, but the event is not available yet.
    /// </summary>
    /// <exception cref="FlowFailedException">The run failed, or was cancelled or forked.</exception>
    private async Task<ApiResponse<T>?> ResultAsync(LogicalCall call, ExecutionRecord record, ApiResponse response)
    {
        var filter = new EventFilter { Types = [ExecutionEventType.FlowCompleted, ExecutionEventType.FlowFailed] };
        string? cursor = null;
        do
        {
            var page = await EventPage.ReadAsync(call.LookAsync, Id, filter, cursor).ConfigureAwait(false);
            foreach (var executionEvent in page.Events)
            {
                switch (executionEvent.Type.Name)
                {
                    case ExecutionEventType.Names.FlowCompleted:
                        return Read(executionEvent.Output ?? default, page.Response);
                    case ExecutionEventType.Names.FlowFailed:
                        throw Failed(executionEvent.ErrorMessage, page.Response, record.Status, record.FailedNodeName);
                    default:
                        break;
                }
            }

            cursor = page.NextCursor;
        }
        while (cursor is not null);

        return record.Status == ExecutionStatus.Completed ? null : throw Failed(
            record.ErrorMessage ?? $"the status is {record.Status}",
            response,
            record.Status,
            record.FailedNodeName);
    }
}
