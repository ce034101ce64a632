using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Net.WebSockets;

namespace Svc.Runtime;

/// <summary>A call, whose requests share options and a deadline.</summary>
internal sealed class LogicalCall : IDisposable
{
    /// <summary>
    /// The minimum number of consecutive reconnects of a followed run or the output of a split stream, unless retries are disabled. With
    /// their delays, they survive an outage of about twenty seconds.
    /// </summary>
    private const int LeastReconnects = 8;

    private readonly Connection _connection;
    private readonly Settings _settings;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _ending;
    private TimeSpan _timeout;
    private TimeSpan _attemptTimeout;
    private int _maxRetries;
    private readonly IReadOnlyDictionary<string, string>? _headers;
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private CancellationToken _reader;
    private Outgoing? _request;
    private SvcException? _loggedFailure;
    private int _failures;

    /// <summary>The latest failure of a retried request. A timeout does not replace it, because its message is less specific.</summary>
    private SvcException? _earlierFailure;

    /// <summary>The start of the first attempt that failed with anything but a 429; null if there is none.</summary>
    private long? _failingSince;

    /// <summary>Whether the call resumes a stored stream. Its retries do not use the retry budget.</summary>
    private bool _isOutlasting;

    private bool _hasDrawn;
    private bool _isStopped;
    private bool _isOfSocket;

    internal LogicalCall(
        Connection connection,
        CallOptions? options,
        TimeSpan usualTimeout,
        CancellationToken cancellationToken)
    {
        _connection = connection;
        _settings = connection.Settings;
        _caller = cancellationToken;
        var own = options?.Copy();
        _timeout = own?.Timeout ?? _settings.Timeout ?? usualTimeout;
        _attemptTimeout = own?.AttemptTimeout ?? _settings.AttemptTimeout;
        _maxRetries = own?.MaxRetries ?? _settings.MaxRetries;
        IdempotencyKey = own?.IdempotencyKey ?? Guid.NewGuid().ToString();
        _headers = own?.Headers;
        _caller.ThrowIfCancellationRequested();
        _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CancelAfter(_ending, _timeout);
    }

    /// <summary>The maximum number of consecutive reconnects of a call that survives an outage.</summary>
    private int MostReconnects => _maxRetries > 0 ? Math.Max(_maxRetries, LeastReconnects) : 0;

    /// <summary>The idempotency key of the call, shared by all of its requests.</summary>
    internal string IdempotencyKey { get; }

    /// <summary>The execution that the call creates or reads, once known.</summary>
    internal string? ExecutionId { get; set; }

    /// <summary>The number of attempts of the latest request.</summary>
    internal int Attempts { get; private set; }

    /// <summary>The number of requests that were sent.</summary>
    internal int Sent { get; private set; }

    /// <summary>Whether an attempt of the latest request failed with anything but a 429.</summary>
    internal bool IsFailing => _failingSince is not null;

    /// <summary>The time until the deadline; a very long time without one.</summary>
    internal TimeSpan TimeLeft => _timeout == Timeout.InfiniteTimeSpan
        ? TimeSpan.MaxValue
        : _timeout - Stopwatch.GetElapsedTime(_startedAt);

    /// <summary>The time limit of an attempt that starts now.</summary>
    internal TimeSpan AttemptTimeLeft =>
        _attemptTimeout != Timeout.InfiniteTimeSpan && _attemptTimeout < TimeLeft ? _attemptTimeout : TimeLeft;

    /// <summary>The timeout of a poll. A stalled poll must not use up all of the time.</summary>
    private TimeSpan TimeoutOfLook =>
        _attemptTimeout == Timeout.InfiniteTimeSpan ? _connection.LookTimeout : _attemptTimeout;

    /// <summary>Cancelled when the call times out or is cancelled.</summary>
    internal CancellationToken Ending => _ending.Token;

    /// <summary>Shortens the timeout of a call that opens a WebSocket in one attempt.</summary>
    /// <param name="longest">The maximum timeout.</param>
    internal LogicalCall Within(TimeSpan longest)
    {
        _isOfSocket = true;
        TimeSpan[] timeouts = [longest, _timeout, _attemptTimeout];
        _timeout = timeouts.Where(timeout => timeout != Timeout.InfiniteTimeSpan).Min();
        CancelAfter(_ending, _timeout);
        return this;
    }

    /// <inheritdoc/>
    public void Dispose() => _ending.Dispose();

    /// <summary>Posts JSON, retries transient failures and returns the response if its status is 2xx.</summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="body">Returns the body of an attempt, which can depend on the time left.</param>
    /// <param name="isRun">Whether the response starts a run, whose id its body contains.</param>
    internal Task<ApiResponse> PostAsync(string path, Func<ReadOnlyMemory<byte>>? body = null, bool isRun = false) =>
        ExchangeAsync(new Outgoing(HttpMethod.Post, path, body is null ? null : () => JsonContent(body())) { IsRun = isRun });

    /// <summary>Reads a path. Otherwise, it works like <see cref="PostAsync"/>.</summary>
    internal Task<ApiResponse> GetAsync(string path) => ExchangeAsync(new Outgoing(HttpMethod.Get, path));

    /// <summary>
    /// Sends a request, retries transient failures and returns the response if its status is 2xx. If it is the requested stream, the
    /// stream takes over the body, and the response has none.
    /// </summary>
    internal Task<ApiResponse> ExchangeAsync(Outgoing request)
    {
        Reset();
        return RepeatAsync(() => AttemptAsync(request));
    }

    /// <summary>
    /// Reads a path for a wait, in one attempt with the timeout of a poll. The caller logs a failure after which the wait continues or
    /// times out.
    /// </summary>
    internal async Task<ApiResponse> LookAsync(string path)
    {
        Reset();
        Attempts = 1;
        try
        {
            return await AttemptAsync(new Outgoing(HttpMethod.Get, path), TimeoutOfLook).ConfigureAwait(false);
        }
        catch (SvcException failure) when (!OutlastsLook(failure))
        {
            Describe(failure);
            if (failure is not CallTimeoutException)
            {
                LogFailure(failure);
            }

            throw;
        }
    }

    /// <summary>
    /// Reads a path for a followed run, in one attempt with the timeout of a poll. The follower logs its failure.
    /// </summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="attempt">The number of the attempt, starting at 1.</param>
    internal Task<ApiResponse> GetOnceAsync(string path, int attempt)
    {
        Attempts = attempt;
        return AttemptAsync(new Outgoing(HttpMethod.Get, path), TimeoutOfLook);
    }

    /// <summary>Reports whether a wait continues after a failed poll.</summary>
    internal bool OutlastsLook(SvcException failure) => _maxRetries > 0 && RetryPolicy.MayPass(failure);

    /// <summary>Sends a request with streamed input, without retries. Throws the exception of the source or of an invalid message.</summary>
    internal async Task<ApiResponse> UploadAsync(Outgoing request, InputLines inputs)
    {
        _maxRetries = 0;
        _attemptTimeout = Timeout.InfiniteTimeSpan;
        try
        {
            return await ExchangeAsync(request).ConfigureAwait(false);
        }
        catch (Exception) when (inputs.Failure is { } failure)
        {
            failure.Throw();
            throw;
        }
    }

    /// <summary>
    /// Sends the request of a stored stream again, to resume after its last event. Consecutive lost connections count as attempts of one
    /// request. Their limit is that of a followed run, and they do not use the retry budget. Otherwise, it works like
    /// <see cref="ExchangeAsync"/>.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="failure">The failure of the stream, which is thrown if the request should not be sent again.</param>
    /// <param name="hadProgress">Whether the connection received new events before it was lost, and thus counts as a success.</param>
    internal async Task<ApiResponse> ReadOnAsync(Outgoing request, StreamInterruptedException failure, bool hadProgress)
    {
        (_failures, _failingSince) = (hadProgress ? 0 : _failures, null);
        (_maxRetries, _isOutlasting) = (MostReconnects, true);
        if (!await IsRetriedAsync(failure).ConfigureAwait(false))
        {
            throw failure;
        }

        return await RepeatAsync(() => AttemptAsync(request)).ConfigureAwait(false);
    }

    /// <summary>Opens a WebSocket in one attempt. The caller logs its failure.</summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="socket">The socket.</param>
    /// <param name="attempt">The number of the attempt, starting at 1.</param>
    internal Task<ApiResponse> ConnectAsync(string path, OpenSocket socket, int attempt)
    {
        Attempts = attempt;
        return ConnectAsync(path, socket);
    }

    /// <summary>Opens a WebSocket, and retries transient failures until it is ready.</summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="ready">Reads the first message of an open socket, and returns the response with it.</param>
    internal Task<(OpenSocket Socket, ApiResponse Ready)> OpenSocketAsync(
        string path,
        Func<(OpenSocket Socket, ApiResponse Head), Task<ApiResponse>> ready)
    {
        Reset();
        return RepeatAsync(OpenAsync);

        async Task<(OpenSocket Socket, ApiResponse Ready)> OpenAsync()
        {
            var socket = new OpenSocket();
            try
            {
                var head = await ConnectAsync(path, socket).ConfigureAwait(false);
                return (socket, await ready((socket, head)).ConfigureAwait(false));
            }
            catch
            {
                await socket.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    /// <summary>
    /// Returns the delay before a follower reconnects, or null if it should not, and logs the failure. Reconnects do not use the retry
    /// budget.
    /// </summary>
    /// <param name="failure">The failure of this call: of a socket, or of a page or record that was read.</param>
    /// <param name="failures">The number of consecutive failures.</param>
    /// <param name="pageDelay">The delay before the next page, if pages are polled instead of a socket.</param>
    internal TimeSpan? DelayBeforeReconnect(SvcException failure, int failures, TimeSpan? pageDelay)
    {
        // Proxies reject the handshake or drop its Upgrade header, for which the service sends a 426. Its other errors have a code.
        var isOfProxy = failure.Status == 426 || (failure.Status is not (null or 101 or 401) && failure.ErrorCode is null);
        var isBlocked = isOfProxy && _request?.Socket is not null;
        var mayPass = failures <= MostReconnects && (isBlocked || failure is CallTimeoutException || RetryPolicy.MayPass(failure));
        var delay = !mayPass ? null : pageDelay ?? RetryPolicy.DelayBefore(failures, failure, _settings, TimeSpan.MaxValue);
        Log(
            delay is null ? LogEventKind.Failure : LogEventKind.Retry,
            failure: failure,
            delay: delay,
            reason: delay is null || pageDelay is null ? null : $"WebSockets are blocked, polling the run's events: {failure.Message}");
        return delay;
    }

    /// <summary>Removes the timeout of the call. It can still be cancelled.</summary>
    internal void LiftDeadline() => _ending.CancelAfter(Timeout.InfiniteTimeSpan);

    /// <summary>A body of JSON.</summary>
    internal static HttpContent JsonContent(ReadOnlyMemory<byte> json)
    {
        var content = new ReadOnlyMemoryContent(json);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return content;
    }

    /// <summary>Also cancels the call with the token of its stream's reader, until the registration is disposed.</summary>
    internal CancellationTokenRegistration CancelWith(CancellationToken reader)
    {
        _reader = reader;
        return reader.UnsafeRegister(call => ((LogicalCall)call!).Stop(), this);
    }

    /// <summary>Ends the call.</summary>
    internal void Stop()
    {
        _isStopped = true;
        try
        {
            _ending.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The call has already ended.
        }
    }

    /// <summary>Adds the details of the call to a failure.</summary>
    internal void Describe(Exception failure)
    {
        if (failure is not SvcException described)
        {
            return;
        }

        described.ExecutionId ??= ExecutionId;
        if (described.Attempts == 0 && Attempts > 0)
        {
            described.Attempts = Attempts;
            described.IdempotencyKey = IdempotencyKey;
        }
    }

    /// <summary>Logs a failed poll and the delay before the next one.</summary>
    internal void LogLook(SvcException failure, TimeSpan delay)
    {
        Describe(failure);
        Log(LogEventKind.Retry, failure: failure, delay: delay);
    }

    /// <summary>Logs a failure, unless it is already logged.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="request">The request that failed, if others followed it.</param>
    internal void LogFailure(SvcException failure, Outgoing? request = null) =>
        Log(LogEventKind.Failure, failure: failure, earlier: request);

    /// <summary>Returns the exception for a stream that ended early.</summary>
    /// <param name="problem">The exception of the transport.</param>
    /// <param name="head">The response.</param>
    /// <param name="isSendingCancelled">Whether the cancellation of a send closed the connection.</param>
    internal Exception InterruptionOf(Exception problem, ApiResponse head, bool isSendingCancelled = false)
    {
        if (_ending.IsCancellationRequested)
        {
            return EndingOf(problem);
        }

        var cause = _settings.ApiKey.Redact(problem);

        var reason = cause.GetBaseException() switch
        {
            _ when isSendingCancelled => "the sending of a message was cancelled",

            // The message of .NET only points to the inner exception.
            WebSocketException { WebSocketErrorCode: WebSocketError.Faulted } => "the service sent an invalid frame",
            var other => other.Message,
        };
        return new StreamInterruptedException($"the stream was cut off: {reason}", head, cause);
    }

    /// <summary>Returns the exception for a timeout. It includes the failure of an earlier attempt, if any.</summary>
    internal static CallTimeoutException TimeoutAfter(
        SvcException? earlier,
        string message,
        Exception? problem,
        bool isOfAttempt = false) => earlier is null
            ? new(message, problem) { IsOfAttempt = isOfAttempt }
            : new($"{message}; an earlier attempt failed: {earlier.Message}", earlier) { IsOfAttempt = isOfAttempt };

    /// <summary>Reports whether an exception is a network failure. Others are bugs in the program, such as a disposed client.</summary>
    internal static bool IsOfTransport(Exception problem) =>
        problem is HttpRequestException or OperationCanceledException or IOException or InvalidDataException or WebSocketException
            or SocketException or TimeoutException;

    /// <summary>Sleeps, but not past the end of the call.</summary>
    internal async Task SleepAsync(TimeSpan delay)
    {
        try
        {
            await Task.Delay(delay, _ending.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException problem)
        {
            throw EndingOf(problem);
        }
    }

    private static void CancelAfter(CancellationTokenSource? source, TimeSpan timeout)
    {
        // The maximum delay that timers support.
        if (timeout != Timeout.InfiniteTimeSpan && timeout.TotalMilliseconds < int.MaxValue)
        {
            source?.CancelAfter(timeout);
        }
    }

    private void Reset() => (Attempts, _failures, _earlierFailure, _failingSince, _hasDrawn) = (0, 0, null, null, false);

    /// <summary>Makes attempts until one succeeds or the call gives up.</summary>
    private async Task<T> RepeatAsync<T>(Func<Task<T>> attempt)
    {
        while (true)
        {
            Attempts++;
            var sentAt = Stopwatch.GetTimestamp();
            try
            {
                var result = await attempt().ConfigureAwait(false);
                _connection.Budget.Succeed(_hasDrawn);
                (_earlierFailure, _hasDrawn) = (null, false);
                return result;
            }
            catch (SvcException failure)
            {
                _failingSince ??= failure.Status == 429 ? null : sentAt;
                if (!await IsRetriedAsync(failure).ConfigureAwait(false))
                {
                    throw;
                }
            }
        }
    }

    /// <summary>Logs the failure and sleeps before the next attempt. Returns false if the call gives up.</summary>
    /// <param name="failure">The failure of the attempt.</param>
    private async Task<bool> IsRetriedAsync(SvcException failure)
    {
        Describe(failure);
        _failures += RetryPolicy.IsPaced(failure) ? 0 : 1;
        var delay = DelayAfter(failure);
        if (delay is not null)
        {
            Log(LogEventKind.Retry, failure: failure, delay: delay);
        }
        else if (_request?.MayBeSuccess(failure) != true)
        {
            LogFailure(failure);
        }

        if (delay is { } time)
        {
            _earlierFailure = failure is CallTimeoutException ? _earlierFailure : failure;
            await SleepAsync(time).ConfigureAwait(false);
        }

        return delay is not null;
    }

    private async Task<ApiResponse> ConnectAsync(string path, OpenSocket socket)
    {
        var head = await AttemptAsync(new Outgoing(HttpMethod.Get, path) { Socket = socket }).ConfigureAwait(false);
        return head.Status == 101 ? head : throw Responses.Invalid(head, "not a WebSocket");
    }

    private Task<ApiResponse> AttemptAsync(Outgoing request) => AttemptAsync(request, _attemptTimeout);

    private async Task<ApiResponse> AttemptAsync(Outgoing request, TimeSpan timeout)
    {
        _request = request;
        Sent++;
        Log(LogEventKind.Request);
        var startedAt = Stopwatch.GetTimestamp();
        HttpRequestMessage? message = MessageOf(request);
        var sentTo = message.RequestUri;
        WatchedStream.Announce(message.Content, IdempotencyKey);
        // An attempt without its own timeout ends with the call.
        using var limit = timeout == Timeout.InfiniteTimeSpan ? null : CancellationTokenSource.CreateLinkedTokenSource(_ending.Token);
        CancelAfter(limit, timeout);
        var token = limit?.Token ?? _ending.Token;
        HttpResponseMessage? head = null;
        ApiResponse response;
        try
        {
            head = await SendAsync(request, message, token).ConfigureAwait(false);
            var headers = MessageHeaders.Of(head);
            var isStream = OpenStream.Fits(head) && request.Stream is not null;
            var stream = isStream && !headers.ContainsKey(Responses.MismatchHeader) ? request.Stream : null;
            var isSocket = OpenSocket.Fits(head);
            var (utf8, problem) = isStream || isSocket ? ([], null) : await ReadBodyAsync(head, token).ConfigureAwait(false);
            response = new ApiResponse((int)head.StatusCode, headers, utf8, _settings.ApiKey)
            {
                Attempts = Attempts,
                IdempotencyKey = IdempotencyKey,
            };
            CheckAddress(message, sentTo, response);
            if (problem is not null && head.IsSuccessStatusCode)
            {
                throw LostWhileReading(problem, response);
            }

            if (stream is not null)
            {
                await stream.TakeAsync(message, head).ConfigureAwait(false);
                message = null;
            }

            head = stream is not null || (isSocket && request.Socket is not null) ? null : head;
        }
        catch (Exception) when (message?.Content is InputLines { Failure.SourceException: { } failed } && !_ending.IsCancellationRequested)
        {
            // Only for the log: the caller gets the exception of the source.
            var cause = _settings.ApiKey.Redact(failed);
            throw new ConnectionException($"the source of the input failed: {cause.Message}", cause);
        }
        catch (Exception problem) when (IsOfTransport(problem))
        {
            throw FailureOf(problem, token.IsCancellationRequested);
        }
        catch (Exception problem) when (head is null && message is not null && IsOfHandler(problem, message))
        {
            throw _ending.IsCancellationRequested ? EndingOf(problem) : Unreachable(problem, isOfHandler: true);
        }
        finally
        {
            head?.Dispose();
            message?.Dispose();
        }

        if (request.IsRun)
        {
            response.ExecutionId ??= Responses.ExecutionIdOf(response);
        }

        ExecutionId ??= response.ExecutionId;
        response.ExecutionId ??= ExecutionId;
        Log(LogEventKind.Response, response, duration: Stopwatch.GetElapsedTime(startedAt));
        var isSuccess = response.Status is >= 200 and <= 299 || (response.Status == 101 && request.Socket is not null);
        SvcException? failure = isSuccess ? Responses.MismatchOf(response) : Responses.FailureOf(response);
        return failure is null ? response : throw failure;
    }

    /// <summary>Reads a body. If it is truncated, returns the received part and the exception of the transport or a handler.</summary>
    private static async Task<(byte[] Utf8, Exception? Problem)> ReadBodyAsync(HttpResponseMessage head, CancellationToken token)
    {
        using var utf8 = new MemoryStream();
        try
        {
            await head.Content.CopyToAsync(utf8, token).ConfigureAwait(false);
            return (utf8.ToArray(), null);
        }
        catch (Exception problem) when (problem is not (OperationCanceledException or ObjectDisposedException))
        {
            token.ThrowIfCancellationRequested();
            return (utf8.ToArray(), problem);
        }
    }

    /// <summary>Rejects the response to a followed redirect, whose request had neither the input nor the API key.</summary>
    /// <remarks>Other handlers may change the address, but do not remove the key.</remarks>
    /// <exception cref="InvalidResponseException">The HTTP client of the caller followed a redirect.</exception>
    private static void CheckAddress(HttpRequestMessage message, Uri? sentTo, ApiResponse response)
    {
        if (message.RequestUri != sentTo && !message.Headers.NonValidated.Contains("Authorization"))
        {
            throw Responses.Invalid(response, $"the HTTP client followed a redirect to {message.RequestUri}; check the base URL");
        }
    }

    private InterruptedResponseException LostWhileReading(Exception problem, ApiResponse response)
    {
        var cause = _settings.ApiKey.Redact(problem);
        var reason = cause.GetBaseException().Message;
        var what = IsOfTransport(problem) ? "the connection was lost" : "the HTTP client failed";
        return new($"{what} while reading the response: {reason}", response, cause) { IsOfHandler = !IsOfTransport(problem) };
    }

    private Task<HttpResponseMessage> SendAsync(Outgoing request, HttpRequestMessage message, CancellationToken token) =>
        request.Socket is { } socket
            ? socket.ConnectAsync(_connection, message, token)
            : _connection.HttpClient.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, token);

    /// <summary>
    /// Reports whether an exception comes from a handler of the caller's HTTP client, such as a resilience handler, and not from the
    /// network, the input or a disposed client.
    /// </summary>
    private static bool IsOfHandler(Exception problem, HttpRequestMessage message) =>
        !IsOfTransport(problem)
        && problem is not (SvcException or ObjectDisposedException)
        && message.Content is not InputLines { Failure: not null };

    private HttpRequestMessage MessageOf(Outgoing request)
    {
        var message = new HttpRequestMessage(request.Method, _settings.BaseUrl + request.Path)
        {
            Version = _connection.HttpClient.DefaultRequestVersion,
            VersionPolicy = _connection.HttpClient.DefaultVersionPolicy,
            Content = request.Content?.Invoke(),
        };
        if (message.Content is InputLines)
        {
            // Over HTTP/1.1, an error response before the end of the input is read only if the request waits for it.
            message.Headers.ExpectContinue = true;
        }

        MessageHeaders.Add(message, _settings.Headers);
        if (_headers is not null)
        {
            MessageHeaders.Add(message, _headers);
        }

        // Of these names, callers can only set User-Agent.
        var headers = message.Headers;
        var userAgent = UserAgentOf(message);
        headers.Remove("User-Agent");
        headers.TryAddWithoutValidation("User-Agent", userAgent);
        headers.TryAddWithoutValidation("Accept", request.Stream is null ? "application/json" : "text/event-stream, application/json");
        headers.TryAddWithoutValidation("Authorization", _settings.ApiKey.Authorization);
        headers.TryAddWithoutValidation("Idempotency-Key", IdempotencyKey);
        if (request.LastEventId is { } lastEventId)
        {
            headers.TryAddWithoutValidation("Last-Event-ID", lastEventId);
        }

        headers.TryAddWithoutValidation("X-Svc-Client", _connection.Identity);
        return message;
    }

    /// <summary>Puts the caller's product before that of the SDK, most specific first.</summary>
    private string UserAgentOf(HttpRequestMessage message)
    {
        var given = message.Headers.NonValidated.TryGetValues("User-Agent", out var values)
            ? values.ToString()
            : _connection.HttpClient.DefaultRequestHeaders.UserAgent.ToString();
        return given.Length == 0 ? _connection.Identity : $"{given} {_connection.Identity}";
    }

    /// <summary>
    /// Maps an exception of the transport. Cancellation and timeouts take precedence. The reset of an HTTP/2 stream can look like a
    /// cancellation.
    /// </summary>
    /// <param name="problem">The exception.</param>
    /// <param name="isLate">Whether the attempt has timed out.</param>
    private Exception FailureOf(Exception problem, bool isLate)
    {
        if (_ending.IsCancellationRequested)
        {
            return EndingOf(problem);
        }

        if (problem is OperationCanceledException && !IsOfConnecting(problem) && (isLate || problem.InnerException is TimeoutException))
        {
            return TimeoutOf("the attempt did not complete within its timeout", problem, isOfAttempt: true);
        }

        return Unreachable(problem, isOfHandler: false);
    }

    private ConnectionException Unreachable(Exception problem, bool isOfHandler)
    {
        var cause = _settings.ApiKey.Redact(problem);
        var reason = cause.GetBaseException() is var source && source is OperationCanceledException
            ? "the HTTP client aborted the request"
            : source.Message;
        var what = isOfHandler ? "the HTTP client failed"
            : WasConnected(problem) ? $"no response from the service at {_settings.BaseUrl}"
            : $"cannot reach the service at {_settings.BaseUrl}";
        return new($"{what}: {reason}", cause) { IsOfHandler = isOfHandler };
    }

    /// <summary>Reports whether a connection was established, so that the service may have received the request.</summary>
    private static bool WasConnected(Exception problem) => problem switch
    {
        HttpRequestException failure => failure.HttpRequestError switch
        {
            HttpRequestError.HttpProtocolError or HttpRequestError.InvalidResponse or HttpRequestError.ResponseEnded
                or HttpRequestError.ConfigurationLimitExceeded => true,
            HttpRequestError.Unknown => failure.InnerException is IOException,
            _ => false,
        },
        _ => problem is WebSocketException || (problem is OperationCanceledException && !IsOfConnecting(problem)),
    };

    /// <summary>
    /// Reports whether the connect timeout of the transport expired. Its exception differs from that of <see cref="HttpClient.Timeout"/>
    /// only in its cause.
    /// </summary>
    private static bool IsOfConnecting(Exception problem) =>
        problem.InnerException is TimeoutException { InnerException: not OperationCanceledException };

    private Exception EndingOf(Exception problem)
    {
        if (_caller.IsCancellationRequested || _reader.IsCancellationRequested)
        {
            var token = _caller.IsCancellationRequested ? _caller : _reader;
            return new OperationCanceledException("the call was cancelled", token);
        }

        if (_isStopped)
        {
            return new OperationCanceledException("the stream was closed");
        }

        var what = _isOfSocket ? "the WebSocket was not ready within" : "the call did not complete within its timeout of";
        return TimeoutOf(string.Create(CultureInfo.InvariantCulture, $"{what} {_timeout.TotalSeconds:0.#######} s"), problem);
    }

    /// <summary>Returns the exception for a timeout of this call.</summary>
    private CallTimeoutException TimeoutOf(string message, Exception problem, bool isOfAttempt = false) =>
        TimeoutAfter(_earlierFailure, message, _settings.ApiKey.Redact(problem), isOfAttempt);

    /// <summary>Returns the delay before the next attempt, or null to give up.</summary>
    private TimeSpan? DelayAfter(SvcException failure)
    {
        if (_maxRetries == 0 || _failures > _maxRetries || !RetryPolicy.MayPass(failure))
        {
            return null;
        }

        var timeLeft = _request is { IsRun: true } && _failingSince is { } since
            ? RetryPolicy.Smallest(TimeLeft, _connection.RetryTime - Stopwatch.GetElapsedTime(since))
            : TimeLeft;
        var delay = RetryPolicy.DelayBefore(Math.Max(1, _failures), failure, _settings, timeLeft);
        if (delay is null || _isOutlasting || RetryPolicy.IsPaced(failure))
        {
            return delay;
        }

        if (_connection.Budget.Take())
        {
            _hasDrawn = true;
            return delay;
        }

        Log(LogEventKind.BudgetEmpty, failure: failure);
        failure.IsBudgetEmpty = true;
        return null;
    }

    private void Log(
        LogEventKind kind,
        ApiResponse? response = null,
        SvcException? failure = null,
        TimeSpan? delay = null,
        TimeSpan? duration = null,
        string? reason = null,
        Outgoing? earlier = null)
    {
        if (_settings.Logger is not { } logger || (earlier ?? _request) is not { } request)
        {
            return;
        }

        if (kind == LogEventKind.Failure && ReferenceEquals(failure, _loggedFailure))
        {
            return;
        }

        _loggedFailure = kind == LogEventKind.Failure ? failure : null;

        var logEvent = new LogEvent
        {
            Kind = kind,
            Method = request.Method.Method,
            Path = request.Path,
            Attempt = earlier is null ? Attempts : failure!.Attempts,
            IdempotencyKey = IdempotencyKey,
            Status = response?.Status ?? failure?.Status,
            ExecutionId = response?.ExecutionId ?? failure?.ExecutionId ?? ExecutionId,
            Duration = duration,
            Delay = delay,
            Reason = reason ?? failure?.Message,
            Exception = failure,
        };
        try
        {
            logger(logEvent);
        }
        catch (Exception)
        {
            // Logger exceptions must not affect the call.
        }
    }
}
