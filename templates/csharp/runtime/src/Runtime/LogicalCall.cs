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
    private readonly int _maxRetries;
    private readonly string? _idempotencyKey;
    private readonly IReadOnlyDictionary<string, string>? _headers;
    private readonly long _startedAt = Stopwatch.GetTimestamp();

    internal LogicalCall(Connection connection, CallOptions? options, CancellationToken cancellationToken)
    {
        _connection = connection;
        _settings = connection.Settings;
        _caller = cancellationToken;
        _timeout = options?.Timeout is { } timeout ? Settings.CheckTimeout(timeout) : _settings.Timeout;
        _maxRetries = options?.MaxRetries is { } retries ? Settings.CheckRetries(retries) : _settings.MaxRetries;
        _idempotencyKey = options?.IdempotencyKey is { } key ? Settings.CheckIdempotencyKey(key) : null;
        _headers = options?.Headers is { } headers ? Settings.CheckHeaders(headers) : null;
        _caller.ThrowIfCancellationRequested();
        _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        // The longest delay that timers support.
        if (_timeout != Timeout.InfiniteTimeSpan && _timeout.TotalMilliseconds < int.MaxValue)
        {
            _ending.CancelAfter(_timeout);
        }
    }

    /// <summary>The time until the deadline, or a very long time without one.</summary>
    internal TimeSpan TimeLeft => _timeout == Timeout.InfiniteTimeSpan
        ? TimeSpan.MaxValue
        : _timeout - Stopwatch.GetElapsedTime(_startedAt);

    /// <inheritdoc/>
    public void Dispose() => _ending.Dispose();

    /// <summary>Posts JSON, retries transient failures and returns the response if its status is 2xx.</summary>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="body">Returns the body of an attempt, which can depend on the time left.</param>
    internal Task<ApiResponse> PostAsync(string path, Func<ReadOnlyMemory<byte>> body) =>
        ExchangeAsync(HttpMethod.Post, path, body);

    /// <summary>Reads a path. Otherwise like <see cref="PostAsync"/>.</summary>
    internal Task<ApiResponse> GetAsync(string path) => ExchangeAsync(HttpMethod.Get, path, null);

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

    private async Task<ApiResponse> ExchangeAsync(HttpMethod method, string path, Func<ReadOnlyMemory<byte>>? body)
    {
        var request = new Outgoing(method, path, body, _idempotencyKey ?? Guid.NewGuid().ToString());
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var answer = await AttemptAsync(request, attempt).ConfigureAwait(false);
                _connection.Budget.Succeed();
                return answer;
            }
            catch (SvcException failure)
            {
                if (DelayAfter(failure, attempt) is not { } delay)
                {
                    Log(request, attempt, LogEventKind.Failure, failure: failure);
                    throw;
                }

                Log(request, attempt, LogEventKind.Retry, failure: failure, delay: delay);
                await SleepAsync(delay).ConfigureAwait(false);
            }
        }
    }

    private async Task<ApiResponse> AttemptAsync(Outgoing request, int attempt)
    {
        Log(request, attempt, LogEventKind.Request);
        var startedAt = Stopwatch.GetTimestamp();
        using var message = MessageOf(request);
        HttpResponseMessage? head = null;
        ApiResponse answer;
        try
        {
            head = await _connection.HttpClient
                .SendAsync(message, HttpCompletionOption.ResponseHeadersRead, _ending.Token)
                .ConfigureAwait(false);
            var utf8 = await head.Content.ReadAsByteArrayAsync(_ending.Token).ConfigureAwait(false);
            answer = new ApiResponse((int)head.StatusCode, HeadersOf(head), _settings.ApiKey.Redact(utf8))
            {
                Attempts = attempt,
                IdempotencyKey = request.IdempotencyKey,
            };
        }
        catch (Exception problem)
        {
            throw FailureOf(problem, (int?)head?.StatusCode);
        }
        finally
        {
            head?.Dispose();
        }

        Log(request, attempt, LogEventKind.Answer, answer, duration: Stopwatch.GetElapsedTime(startedAt));
        return answer.Status is >= 200 and <= 299 ? answer : throw Answers.FailureOf(answer);
    }

    private HttpRequestMessage MessageOf(Outgoing request)
    {
        var message = new HttpRequestMessage(request.Method, _settings.BaseUrl + request.Path);
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
        Set(message, "Idempotency-Key", request.IdempotencyKey);
        Set(message, "User-Agent", _connection.Identity);
        Set(message, "X-Svc-Client", _connection.Identity);
        return message;
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

    private Dictionary<string, string> HeadersOf(HttpResponseMessage head)
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, values) in head.Headers.NonValidated)
        {
            headers[name] = _settings.ApiKey.Redact(values.ToString());
        }

        foreach (var (name, values) in head.Content.Headers.NonValidated)
        {
            headers[name] = _settings.ApiKey.Redact(values.ToString());
        }

        return headers;
    }

    /// <summary>Maps an exception of the transport. Cancellation and timeout take precedence.</summary>
    private Exception FailureOf(Exception problem, int? status)
    {
        if (_ending.IsCancellationRequested || problem is OperationCanceledException)
        {
            return EndingOf(problem);
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
    private TimeSpan? DelayAfter(SvcException failure, int attempt)
    {
        if (attempt > _maxRetries || !RetryPolicy.MayPass(failure))
        {
            return null;
        }

        var delay = RetryPolicy.DelayBefore(attempt, failure, _settings);
        return delay < TimeLeft && _connection.Budget.Take() ? delay : null;
    }

    private void Log(
        Outgoing request,
        int attempt,
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
            Attempt = attempt,
            IdempotencyKey = request.IdempotencyKey,
            Status = answer?.Status ?? failure?.Status,
            ExecutionId = answer?.ExecutionId ?? failure?.ExecutionId,
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
        string IdempotencyKey);
}
