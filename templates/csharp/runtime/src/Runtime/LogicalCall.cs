using System.Diagnostics;
using System.Net.Http.Headers;

namespace Svc.Runtime;

/// <summary>A call: its requests share options and a deadline.</summary>
internal sealed class LogicalCall : IDisposable
{
    private static readonly MediaTypeHeaderValue Json = new("application/json");

    private readonly Connection _connection;
    private readonly Settings _settings;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _ending;
    private readonly TimeSpan _timeout;
    private readonly TimeSpan _attemptTimeout;
    private readonly int _maxRetries;
    private readonly IReadOnlyDictionary<string, string>? _headers;
    private readonly long _startedAt = Stopwatch.GetTimestamp();

    internal LogicalCall(Connection connection, CallOptions? options, CancellationToken cancellationToken)
    {
        _connection = connection;
        _settings = connection.Settings;
        _caller = cancellationToken;
        _timeout = options?.Timeout is { } timeout ? Settings.CheckTimeout(timeout) : _settings.Timeout;
        _attemptTimeout = options?.AttemptTimeout is { } limit ? Settings.CheckTimeout(limit) : _settings.AttemptTimeout;
        _maxRetries = options?.MaxRetries is { } retries ? Settings.CheckRetries(retries) : _settings.MaxRetries;
        IdempotencyKey = options?.IdempotencyKey is { } key ? Settings.CheckIdempotencyKey(key) : Guid.NewGuid().ToString();
        _headers = options?.Headers is { } headers ? Settings.CheckHeaders(headers) : null;
        _caller.ThrowIfCancellationRequested();
        _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CancelAfter(_ending, _timeout);
    }

    /// <summary>The key of the call, the same for all of its requests.</summary>
    internal string IdempotencyKey { get; }

    /// <summary>The execution that the call creates or reads, once known.</summary>
    internal string? ExecutionId { get; set; }

    /// <summary>The number of attempts of the latest request.</summary>
    internal int Attempts { get; private set; }

    /// <summary>The time until the deadline, or a very long time without one.</summary>
    internal TimeSpan TimeLeft => _timeout == Timeout.InfiniteTimeSpan
        ? TimeSpan.MaxValue
        : _timeout - Stopwatch.GetElapsedTime(_startedAt);

    /// <summary>The time that an attempt which begins now has.</summary>
    internal TimeSpan AttemptTimeLeft =>
        _attemptTimeout != Timeout.InfiniteTimeSpan && _attemptTimeout < TimeLeft ? _attemptTimeout : TimeLeft;

    /// <inheritdoc/>
    public void Dispose() => _ending.Dispose();

    /// <summary>Posts JSON, retries transient failures and returns the response if its status is 2xx.</summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="body">Returns the body of an attempt, which can depend on the time left.</param>
    /// <param name="isRun">Whether the response starts a run, whose id its body contains.</param>
    internal Task<ApiResponse> PostAsync(string path, Func<ReadOnlyMemory<byte>>? body = null, bool isRun = false) =>
        ExchangeAsync(new Outgoing(HttpMethod.Post, path, body, isRun));

    /// <summary>Reads a path. Otherwise like <see cref="PostAsync"/>.</summary>
    internal Task<ApiResponse> GetAsync(string path) =>
        ExchangeAsync(new Outgoing(HttpMethod.Get, path, null, IsRun: false));

    /// <summary>Adds to a failure what is known of the call.</summary>
    internal void Describe(SvcException failure)
    {
        failure.ExecutionId ??= ExecutionId;
        if (Attempts > 0)
        {
            failure.Attempts = Attempts;
            failure.IdempotencyKey = IdempotencyKey;
        }
    }

    /// <summary>Sleeps, at most until the end of the call.</summary>
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

    private static void CancelAfter(CancellationTokenSource source, TimeSpan timeout)
    {
        // The longest delay that timers support.
        if (timeout != Timeout.InfiniteTimeSpan && timeout.TotalMilliseconds < int.MaxValue)
        {
            source.CancelAfter(timeout);
        }
    }

    private async Task<ApiResponse> ExchangeAsync(Outgoing request)
    {
        var counted = 0;
        for (Attempts = 1; ; Attempts++)
        {
            TimeSpan? delay;
            try
            {
                var answer = await AttemptAsync(request).ConfigureAwait(false);
                _connection.Budget.Succeed();
                return answer;
            }
            catch (SvcException failure)
            {
                Describe(failure);
                counted += RetryPolicy.IsPaced(failure) ? 0 : 1;
                delay = DelayAfter(request, failure, counted);
                Log(request, delay is null ? LogEventKind.Failure : LogEventKind.Retry, failure: failure, delay: delay);
                if (delay is null)
                {
                    throw;
                }
            }

            await SleepAsync(delay.Value).ConfigureAwait(false);
        }
    }

    private async Task<ApiResponse> AttemptAsync(Outgoing request)
    {
        Log(request, LogEventKind.Request);
        var startedAt = Stopwatch.GetTimestamp();
        using var message = MessageOf(request);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_ending.Token);
        CancelAfter(limit, _attemptTimeout);
        HttpResponseMessage? head = null;
        ApiResponse answer;
        try
        {
            head = await _connection.HttpClient
                .SendAsync(message, HttpCompletionOption.ResponseHeadersRead, limit.Token)
                .ConfigureAwait(false);
            var utf8 = await head.Content.ReadAsByteArrayAsync(limit.Token).ConfigureAwait(false);
            answer = new ApiResponse((int)head.StatusCode, HeadersOf(head), utf8, _settings.ApiKey)
            {
                Attempts = Attempts,
                IdempotencyKey = IdempotencyKey,
            };
        }
        catch (Exception problem) when (IsOfTransport(problem))
        {
            throw FailureOf(problem, (int?)head?.StatusCode);
        }
        finally
        {
            head?.Dispose();
        }

        if (request.IsRun)
        {
            answer.ExecutionId ??= Answers.ExecutionIdOf(answer);
        }

        ExecutionId ??= answer.ExecutionId;
        answer.ExecutionId ??= ExecutionId;
        Log(request, LogEventKind.Answer, answer, duration: Stopwatch.GetElapsedTime(startedAt));
        return answer.Status is >= 200 and <= 299 ? answer : throw Answers.FailureOf(answer);
    }

    /// <summary>Reports whether an exception is of the network. Others are defects of the program, such as a disposed client.</summary>
    private static bool IsOfTransport(Exception problem) =>
        problem is HttpRequestException or OperationCanceledException or IOException or InvalidDataException;

    private HttpRequestMessage MessageOf(Outgoing request)
    {
        var message = new HttpRequestMessage(request.Method, _settings.BaseUrl + request.Path)
        {
            Version = _connection.HttpClient.DefaultRequestVersion,
            VersionPolicy = _connection.HttpClient.DefaultVersionPolicy,
        };
        if (request.Body is { } body)
        {
            message.Content = new ReadOnlyMemoryContent(body());
            message.Content.Headers.ContentType = Json;
        }

        Add(message, _settings.Headers);
        if (_headers is not null)
        {
            Add(message, _headers);
        }

        Set(message, "Accept", "application/json");
        Set(message, "Authorization", _settings.ApiKey.Authorization);
        Set(message, "Idempotency-Key", IdempotencyKey);
        Set(message, "User-Agent", UserAgentOf(message));
        Set(message, "X-Svc-Client", _connection.Identity);
        return message;
    }

    /// <summary>Puts the caller's program before the SDK, the most specific first.</summary>
    private string UserAgentOf(HttpRequestMessage message)
    {
        var given = message.Headers.NonValidated.TryGetValues("User-Agent", out var values)
            ? values.ToString()
            : _connection.HttpClient.DefaultRequestHeaders.UserAgent.ToString();
        return given.Length == 0 ? _connection.Identity : $"{given} {_connection.Identity}";
    }

    private static void Add(HttpRequestMessage message, IReadOnlyDictionary<string, string> headers)
    {
        foreach (var (name, value) in headers)
        {
            // .NET stores some headers with the content. The SDK sets the content type.
            HttpHeaders? all = IsOfContent(name) ? message.Content?.Headers : message.Headers;
            if (all is not null && !name.Equals("Content-Type", StringComparison.OrdinalIgnoreCase))
            {
                all.Remove(name);
                all.TryAddWithoutValidation(name, value);
            }
        }
    }

    /// <summary>Reports whether .NET stores a header with the content.</summary>
    private static bool IsOfContent(string name) =>
        name.StartsWith("Content-", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Allow", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Expires", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Last-Modified", StringComparison.OrdinalIgnoreCase);

    private static void Set(HttpRequestMessage message, string name, string value)
    {
        message.Headers.Remove(name);
        message.Headers.TryAddWithoutValidation(name, value);
    }

    private static Dictionary<string, string> HeadersOf(HttpResponseMessage head)
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, values) in head.Headers.NonValidated)
        {
            headers[name] = values.ToString();
        }

        foreach (var (name, values) in head.Content.Headers.NonValidated)
        {
            headers[name] = values.ToString();
        }

        return headers;
    }

    /// <summary>Maps an exception of the transport. Cancellation and timeout take precedence.</summary>
    private Exception FailureOf(Exception problem, int? status)
    {
        if (_ending.IsCancellationRequested)
        {
            return EndingOf(problem);
        }

        if (problem is OperationCanceledException)
        {
            return new CallTimeoutException("the attempt did not complete within its timeout", _settings.ApiKey.Redact(problem))
            {
                IsOfAttempt = true,
            };
        }

        var cause = _settings.ApiKey.Redact(problem);
        var reason = cause.GetBaseException().Message;
        return status is null
            ? new ConnectionException($"cannot reach the service at {_settings.BaseUrl}: {reason}", cause)
            : new InterruptedAnswerException($"the connection was lost while reading the response: {reason}", cause)
            {
                Status = status,
            };
    }

    private Exception EndingOf(Exception problem) => _caller.IsCancellationRequested
        ? new OperationCanceledException("the call was cancelled", _caller)
        : new CallTimeoutException("the call did not complete within its timeout", _settings.ApiKey.Redact(problem));

    /// <summary>Returns the delay before the next attempt, or null to stop.</summary>
    /// <param name="request">The request.</param>
    /// <param name="failure">The failure of the attempt.</param>
    /// <param name="counted">The failures so far that count as retries.</param>
    private TimeSpan? DelayAfter(Outgoing request, SvcException failure, int counted)
    {
        if (_maxRetries == 0 || counted > _maxRetries || !RetryPolicy.MayPass(failure))
        {
            return null;
        }

        var delay = RetryPolicy.DelayBefore(Math.Max(1, counted), failure, _settings, TimeLeft);
        if (delay is null || RetryPolicy.IsPaced(failure) || _connection.Budget.Take())
        {
            return delay;
        }

        Log(request, LogEventKind.BudgetEmpty, failure: failure);
        return null;
    }

    private void Log(
        Outgoing request,
        LogEventKind kind,
        ApiResponse? answer = null,
        SvcException? failure = null,
        TimeSpan? delay = null,
        TimeSpan? duration = null)
    {
        if (_settings.Logger is not { } logger)
        {
            return;
        }

        var happening = new LogEvent
        {
            Kind = kind,
            Method = request.Method.Method,
            Path = request.Path,
            Attempt = Attempts,
            IdempotencyKey = IdempotencyKey,
            Status = answer?.Status ?? failure?.Status,
            ExecutionId = answer?.ExecutionId ?? failure?.ExecutionId ?? ExecutionId,
            Duration = duration,
            Delay = delay,
            Reason = failure?.Message,
        };
        try
        {
            logger(happening);
        }
        catch (Exception)
        {
            // Logger exceptions must not affect the call.
        }
    }

    /// <summary>A request, sent by every attempt.</summary>
    private sealed record Outgoing(
        HttpMethod Method,
        string Path,
        Func<ReadOnlyMemory<byte>>? Body,
        bool IsRun);
}
