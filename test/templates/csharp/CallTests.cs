using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Net;
using Xunit;

namespace Svc.Runtime.Tests;

public class CallTests
{
    private const string Id = "0123456789abcdef0123456789abcdef";

    [Theory]
    [InlineData("test", """{"text":"this is a test of keys"}""")]
    [InlineData("e", """{"text":"elephant"}""")]
    public async Task ValuesContainTheKey(string key, string body)
    {
        using var http = new HttpClient(new Scripted(_ => Json(body)));
        using var connection = Connect(http, key);
        var response = await connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, default);
        Assert.Equal(body, response.Body);
    }

    [Fact]
    public async Task ErrorsAndLogsHideTheKey()
    {
        var log = new List<LogEvent>();
        var response = Json("""{"error":"unauthorized","message":"unknown key a-key-of-the-tests"}""", HttpStatusCode.Unauthorized);
        response.Headers.Add("X-Echo", "Bearer a-key-of-the-tests");
        using var http = new HttpClient(new Scripted(_ => response));
        using var connection = Connect(http, "a-key-of-the-tests", log);
        var failure = await Assert.ThrowsAsync<UnauthorizedException>(() => GetAsync(connection));
        Assert.Contains("unknown key [redacted]", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("a-key-of-the-tests", $"{failure} {failure.Body} {failure.Headers!["x-echo"]}", StringComparison.Ordinal);
        Assert.DoesNotContain(log, each => each.ToString().Contains("a-key-of-the-tests", StringComparison.Ordinal));
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Timeouts
    {
        [Fact]
        public async Task AttemptsThatHangAreRetried()
        {
            var arrivals = 0;
            using var http = new HttpClient(new Scripted(async (_, token) =>
            {
                if (++arrivals == 1)
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan, token);
                }

                return Json("{}");
            }));
            using var connection = Connect(http);
            var options = new CallOptions { AttemptTimeout = TimeSpan.FromSeconds(3), Timeout = TimeSpan.FromMinutes(5) };
            var response = await connection.CallAsync("Test", options, call => call.GetAsync("/a"), null, default);
            Assert.Equal(2, response.Attempts);
        }

        [Fact]
        public async Task TimeoutsDoNotNameFailuresOfEarlierRequests()
        {
            var arrivals = 0;
            using var http = new HttpClient(new Scripted(async (_, token) =>
            {
                if (++arrivals == 3)
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan, token);
                }

                return Json("{}", arrivals == 1 ? HttpStatusCode.ServiceUnavailable : HttpStatusCode.OK);
            }));
            using var connection = Connect(http);
            var options = new CallOptions { Timeout = TimeSpan.FromSeconds(3) };
            var failure = await Assert.ThrowsAsync<CallTimeoutException>(() => connection.CallAsync("Test", options, TwiceAsync, null, default));
            Assert.Equal("the call did not complete within its timeout of 3 s", failure.Message);

            static async Task<ApiResponse> TwiceAsync(LogicalCall call)
            {
                await call.GetAsync("/a");
                return await call.GetAsync("/b");
            }
        }

        [Theory]
        [InlineData(false, "the call did not complete within its timeout of 2 s; an earlier attempt failed: down (HTTP 503)")]
        [InlineData(true, "the attempt did not complete within its timeout; an earlier attempt failed: down (HTTP 503)")]
        public async Task TimeoutsSayHowAnEarlierAttemptFailed(bool isOfAttempt, string message)
        {
            var arrivals = 0;
            using var http = new HttpClient(new Scripted(async (_, token) =>
            {
                if (++arrivals > 1)
                {
                    await Task.Delay(Timeout.InfiniteTimeSpan, token);
                }

                return Json("""{"message":"down"}""", HttpStatusCode.ServiceUnavailable);
            }));
            using var connection = Connect(http);
            var limit = TimeSpan.FromSeconds(2);
            var options = isOfAttempt ? new CallOptions { AttemptTimeout = limit } : new CallOptions { Timeout = limit };
            var failure = await Assert.ThrowsAsync<CallTimeoutException>(() => GetAsync(connection, options));
            Assert.Equal(message, failure.Message);
            Assert.Equal(503, Assert.IsType<UpstreamUnavailableException>(failure.InnerException).Status);
            Assert.Equal(isOfAttempt ? 3 : 2, failure.Attempts);
        }
    }

    [Fact]
    public async Task AttemptsThatAllHangAreATimeout()
    {
        using var http = new HttpClient(new Scripted(async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, token);
            return Json("{}");
        }));
        using var connection = Connect(http);
        var options = new CallOptions { AttemptTimeout = TimeSpan.FromMilliseconds(20), IdempotencyKey = "mine" };
        var failure = await Assert.ThrowsAsync<CallTimeoutException>(() => GetAsync(connection, options));
        Assert.Equal((3, "mine"), (failure.Attempts, failure.IdempotencyKey));
    }

    [Fact]
    public async Task PacedRetriesAreNotCounted()
    {
        var arrivals = 0;
        using var http = new HttpClient(new Scripted(_ => ++arrivals > 2 ? Json("{}") : Paced("1")));
        using var connection = Connect(http);
        var options = new CallOptions { MaxRetries = 1 };
        var response = await connection.CallAsync("Test", options, call => call.GetAsync("/a"), null, default);
        Assert.Equal(3, response.Attempts);
        Assert.Equal(10, Enumerable.Range(0, 12).Count(_ => connection.Budget.Take()));
    }

    [Fact]
    public async Task RetriesPacedBelowASecondAreCounted()
    {
        using var http = new HttpClient(new Scripted(_ => Paced("0.999")));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<RateLimitedException>(() => GetAsync(connection, new CallOptions { MaxRetries = 1 }));
        Assert.Equal(2, failure.Attempts);
        Assert.Equal(9, Enumerable.Range(0, 12).Count(_ => connection.Budget.Take()));
    }

    [Theory]
    [InlineData("""{"error":"PAUSE_NOT_WAITING","code":"pause_not_waiting"}""", "pause_not_waiting")]
    [InlineData("""{"error":"PAUSE_NOT_WAITING","code":7}""", "PAUSE_NOT_WAITING")]
    [InlineData("""{"error":"it is late","message":"late"}""", null)]
    [InlineData("""{"error":"no"}""", null)]
    [InlineData("""{"error":"not_now!"}""", null)]
    [InlineData("""{"error":"no","code":"forbidden"}""", "forbidden")]
    public async Task TheCodeOfTheServiceIsThatOfTheException(string body, string? code)
    {
        using var http = new HttpClient(new Scripted(_ => Json(body, HttpStatusCode.Conflict)));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<StatusException>(() => GetAsync(connection));
        Assert.Equal(code, failure.ErrorCode);
    }

    [Fact]
    public async Task ClassesOfExceptionsDoNotDependOnTheCode()
    {
        using var http = new HttpClient(new Scripted(
            _ => Json("""{"error":"app_key_graph_denied","code":"another"}""", HttpStatusCode.Forbidden)));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<AppKeyGraphDeniedException>(() => GetAsync(connection));
        Assert.Equal("another", failure.ErrorCode);
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData("3600", 1)]
    [InlineData("0", 3)]
    public async Task QuotasAreRetriedOnlyIfTheyEndSoon(string? retryAfter, int attempts)
    {
        using var http = new HttpClient(new Scripted(_ =>
        {
            var response = Json("""{"error":"quota_exceeded"}""", HttpStatusCode.TooManyRequests);
            response.Headers.TryAddWithoutValidation("Retry-After", retryAfter);
            return response;
        }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<QuotaExceededException>(() => GetAsync(connection));
        Assert.Equal(attempts, failure.Attempts);
    }

    [Fact]
    public async Task ExceptionsOfHandlersThatShowTheKeyAreReplaced()
    {
        using var http = new HttpClient(new Scripted(
            request => throw new InvalidOperationException($"refused {request.Headers.Authorization}")));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection));
        Assert.Equal("refused Bearer [redacted]", Assert.IsType<HttpRequestException>(failure.InnerException).Message);
        Assert.Equal(1, failure.Attempts);
    }

    [Fact]
    public async Task NoRetriesMeansNone()
    {
        using var http = new HttpClient(new Scripted(_ => Paced("1")));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<RateLimitedException>(() => GetAsync(connection, new CallOptions { MaxRetries = 0 }));
        Assert.Equal(1, failure.Attempts);
    }

    [Fact]
    public async Task AnEmptyBudgetIsLogged()
    {
        var log = new List<LogEvent>();
        using var http = new HttpClient(new Scripted(_ => Json("{}", HttpStatusCode.ServiceUnavailable)));
        using var connection = Connect(http, log: log, budget: 1);
        var failure = await Assert.ThrowsAsync<UpstreamUnavailableException>(() => GetAsync(connection));
        Assert.Equal(2, failure.Attempts);
        LogEventKind[] expected =
        [
            LogEventKind.Request,
            LogEventKind.Response,
            LogEventKind.Retry,
            LogEventKind.Request,
            LogEventKind.Response,
            LogEventKind.BudgetEmpty,
            LogEventKind.Failure,
        ];
        Assert.Equal(expected, log.Select(each => each.Kind));
        Assert.Equal("no error message (HTTP 503); not tried again: the retry budget is empty", failure.Message);
        Assert.Equal(failure.Message, log[^1].Reason);
        Assert.Equal("no error message (HTTP 503)", log[2].Reason);
    }

    [Fact]
    public async Task LiveSessionsDrawOnTheBudget()
    {
        var log = new List<LogEvent>();
        using var http = new HttpClient(new Scripted(_ => log.Count == 1 ? Paced("1") : Json("{}", HttpStatusCode.ServiceUnavailable)));
        using var connection = Connect(http, log: log, budget: 1);
        var node = new NodeCall<string, string>("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);
        var failure = await Assert.ThrowsAsync<UpstreamUnavailableException>(() => node.OpenAsync(connection, null, default));
        Assert.Equal((3, true), (failure.Attempts, failure.IsBudgetEmpty));
        Assert.Single(log, each => each.Kind == LogEventKind.BudgetEmpty);
    }

    [Fact]
    public async Task RetriesThatAreUsedUpSayNothingOfTheBudget()
    {
        using var http = new HttpClient(new Scripted(_ => Json("{}", HttpStatusCode.ServiceUnavailable)));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<UpstreamUnavailableException>(() => GetAsync(connection));
        Assert.Equal("no error message (HTTP 503)", failure.Message);
    }

    [Fact]
    public void DelaysHaveJitterOnTopOfRetryAfter()
    {
        var settings = new Settings(new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9" });
        var failure = ModelFactory.StatusException(503, retryAfter: TimeSpan.FromSeconds(2));
        var delays = Enumerable.Range(0, 100).Select(_ => RetryPolicy.DelayBefore(1, failure, settings, TimeSpan.FromSeconds(3))!.Value).ToList();
        Assert.All(delays, delay => Assert.InRange(delay.TotalSeconds, 2, 3));
        Assert.True(delays.Distinct().Count() > 50);
        Assert.Null(RetryPolicy.DelayBefore(1, failure, settings, TimeSpan.FromSeconds(2)));

        var atOnce = ModelFactory.StatusException(503, retryAfter: TimeSpan.Zero);
        delays = [.. Enumerable.Range(0, 100).Select(_ => RetryPolicy.DelayBefore(9, atOnce, settings, TimeSpan.MaxValue)!.Value)];
        Assert.All(delays, delay => Assert.InRange(delay.TotalSeconds, 0, 1));
        Assert.True(delays.Distinct().Count() > 50);
    }

    [Fact]
    public async Task ExecutionsAreNamedByResponsesErrorsAndLogs()
    {
        var log = new List<LogEvent>();
        var bodies = new Queue<string>([$$"""{"execution_id":"{{Id}}"}""", """{"status":"no id"}"""]);
        using var http = new HttpClient(new Scripted(_ => Json(bodies.Dequeue())));
        using var connection = Connect(http, log: log);
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var started = await flow.StartRawAsync(connection, 1, null, default);
        Assert.Equal(Id, started.ExecutionId);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => started.Value.GetAsync());
        Assert.Equal((Id, 1), (failure.ExecutionId, failure.Attempts));
        Assert.Equal([null, Id, Id, Id, Id], log.Select(each => each.ExecutionId));
    }

    [Fact]
    public async Task RunsAreCancelled()
    {
        var requests = new List<string>();
        using var http = new HttpClient(new Scripted(request =>
        {
            requests.Add($"{request.Method} {request.RequestUri!.AbsolutePath}");
            return Json($$"""{"execution_id":"{{Id}}","status":"CANCELLED","completed_at":"2026-01-31T09:30:00.500Z"}""");
        }));
        using var connection = Connect(http);
        var record = await new Execution<int>(connection, Id, ProtoJson.Int32Value).CancelAsync();
        Assert.Equal([$"POST /invocations/v1/executions/{Id}/cancel"], requests);
        Assert.Equal((ExecutionStatus.Cancelled, true), (record.Status, record.HasEnded));
        Assert.Equal(new DateTimeOffset(2026, 1, 31, 9, 30, 0, 500, TimeSpan.Zero), record.CompletedAt);
    }

    [Fact]
    public async Task RequestsAreNamedByResponsesAndExceptions()
    {
        var responses = new Queue<HttpResponseMessage>([Named("{}"), Named("no JSON"), Named("{}", HttpStatusCode.NotFound), Broken()]);
        using var http = new HttpClient(new Scripted(_ => responses.Dequeue()));
        using var connection = Connect(http);
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var once = new CallOptions { MaxRetries = 0 };
        Assert.Equal("r-1", (await connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, default)).RequestId);
        var invalid = await Assert.ThrowsAsync<InvalidResponseException>(() => run.GetAsync());
        var absent = await Assert.ThrowsAsync<NotFoundException>(() => run.GetAsync());
        var broken = await Assert.ThrowsAsync<InterruptedResponseException>(() => run.GetAsync(once));
        Assert.Equal($"invalid response: not a JSON object (execution {Id}, request r-1)", invalid.Message);
        Assert.Equal($"no error message (HTTP 404, execution {Id}, request r-1)", absent.Message);
        Assert.EndsWith($"(request r-1) (execution {Id})", broken.Message, StringComparison.Ordinal);
        Assert.Equal((200, Id, "half"), (broken.Status, broken.ExecutionId, broken.Body));
        Assert.All(new SvcException[] { invalid, absent, broken }, failure => Assert.Equal("r-1", failure.RequestId));

        static HttpResponseMessage Named(string body, HttpStatusCode status = HttpStatusCode.OK)
        {
            var response = Json(body, status);
            response.Headers.Add("X-Request-Id", "r-1");
            return response;
        }

        static HttpResponseMessage Broken()
        {
            var response = Named("");
            response.Content = new BrokenOff("half");
            return response;
        }
    }

    [Theory]
    [InlineData(HttpStatusCode.NotFound, 1)]
    [InlineData(HttpStatusCode.ServiceUnavailable, 3)]
    public async Task RefusalsThatBreakOffAreRefusals(HttpStatusCode status, int attempts)
    {
        using var http = new HttpClient(new Scripted(_ => new HttpResponseMessage(status) { Content = new BrokenOff("half") }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAnyAsync<StatusException>(() => GetAsync(connection));
        Assert.Equal(((int)status, attempts, "half"), (failure.Status, failure.Attempts, failure.Body));
    }

    [Fact]
    public async Task RefusalsWhoseBodiesDoNotArriveAreTimeouts()
    {
        using var http = new HttpClient(new Scripted(_ => new HttpResponseMessage(HttpStatusCode.NotFound) { Content = new BrokenOff(null) }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<CallTimeoutException>(
            () => GetAsync(connection, new CallOptions { Timeout = TimeSpan.FromSeconds(1) }));
        Assert.Equal(1, failure.Attempts);
    }

    [Theory]
    [InlineData("input", "input")]
    [InlineData("graph_id, input", "flow and input")]
    [InlineData("execution_id", "execution")]
    public async Task KeysOfOtherRequestsAreExceptions(string header, string differences)
    {
        var requests = 0;
        using var http = new HttpClient(new Scripted(_ =>
        {
            requests++;
            var response = Json($$"""{"execution_id":"{{Id}}"}""", HttpStatusCode.Accepted);
            response.Headers.Add("Idempotency-Mismatch", header);
            response.Headers.Add("X-Request-Id", "r-1");
            return response;
        }));
        using var connection = Connect(http);
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var options = new CallOptions { IdempotencyKey = "mine" };
        var expected = $"the idempotency key belongs to an earlier request that differs in its {differences} (HTTP 202, execution {Id}, request r-1)";
        Func<Task>[] calls =
        [
            () => flow.RunAsync(connection, 1, options, default),
            () => flow.StartAsync(connection, 1, options, default),
            () => flow.Stream(connection, 1, options, default).GetResponseAsync(),
            () => new Execution<int>(connection, new string('f', 32), ProtoJson.Int32Value).ForkAsync(null, options),
        ];
        foreach (var call in calls)
        {
            var failure = await Assert.ThrowsAsync<IdempotencyMismatchException>(call);
            Assert.Equal((expected, Id, "mine"), (failure.Message, failure.ExecutionId, failure.IdempotencyKey));
        }

        Assert.Equal(calls.Length, requests);
    }

    [Fact]
    public async Task StreamsOfOtherRequestsAreExceptions()
    {
        using var http = new HttpClient(new Scripted(_ =>
        {
            var response = new HttpResponseMessage { Content = new StringContent("", System.Text.Encoding.UTF8, "text/event-stream") };
            response.Headers.Add("Idempotency-Mismatch", "input");
            response.Headers.Add("X-Execution-Id", Id);
            return response;
        }));
        using var connection = Connect(http);
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<IdempotencyMismatchException>(
            () => flow.Stream(connection, 1, null, default).GetResponseAsync());
        Assert.Equal(Id, failure.ExecutionId);
    }

    [Theory]
    [InlineData("CANCELLED", true)]
    [InlineData("COMPLETED", false)]
    [InlineData(null, false)]
    public async Task RunsThatALostAttemptCancelledAreCancelled(string? status, bool isCancelled)
    {
        var arrivals = 0;
        using var http = new HttpClient(new Scripted(request => ++arrivals switch
        {
            1 => throw new HttpRequestException("reset"),
            2 => Json("""{"error":"EXECUTION_NOT_CANCELLABLE","code":"execution_not_cancellable"}""", HttpStatusCode.Conflict),
            _ when status is null => Json("{}", HttpStatusCode.NotFound),
            _ => Json($$"""{"execution_id":"{{Id}}","status":"{{status}}"}"""),
        }));
        using var connection = Connect(http);
        var cancelling = new Execution<int>(connection, Id, ProtoJson.Int32Value).CancelAsync();
        if (isCancelled)
        {
            Assert.Equal(ExecutionStatus.Cancelled, (await cancelling).Status);
        }
        else
        {
            var failure = await Assert.ThrowsAsync<StatusException>(() => cancelling);
            Assert.Equal((409, 2), (failure.Status, failure.Attempts));
        }

        Assert.Equal(3, arrivals);
    }

    [Fact]
    public async Task RunsThatHaveEndedAreNotLookedUp()
    {
        using var http = new HttpClient(new Scripted(
            request => Json("""{"error":"EXECUTION_NOT_CANCELLABLE"}""", request.Method == HttpMethod.Post ? HttpStatusCode.Conflict : HttpStatusCode.OK)));
        using var connection = Connect(http);
        await Assert.ThrowsAsync<StatusException>(() => new Execution<int>(connection, Id, ProtoJson.Int32Value).CancelAsync());
    }

    [Fact]
    public async Task OtherProtocolsAreNotResponses()
    {
        using var http = new HttpClient(new Scripted(_ => new HttpResponseMessage(HttpStatusCode.SwitchingProtocols)));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<StatusException>(() => GetAsync(connection));
        Assert.Equal(101, failure.Status);
    }

    [Fact]
    public async Task RedirectsNameTheirLocation()
    {
        var response = Json("", HttpStatusCode.Found);
        response.Headers.Location = new Uri("https://other.example/a");
        using var http = new HttpClient(new Scripted(_ => response));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<StatusException>(() => GetAsync(connection));
        Assert.Contains("https://other.example/a", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task UserAgentsAreAppendedTo()
    {
        var agents = new List<string>();
        using var http = new HttpClient(new Scripted(request =>
        {
            agents.Add(request.Headers.NonValidated["User-Agent"].ToString());
            return Json("{}");
        }));
        using var connection = Connect(http);
        await GetAsync(connection);
        await GetAsync(connection, new CallOptions { Headers = new Dictionary<string, string> { ["user-agent"] = "shop/2" } });
        http.DefaultRequestHeaders.UserAgent.ParseAdd("till/3");
        await GetAsync(connection);
        Assert.Equal(["test/1", "shop/2 test/1", "till/3 test/1"], agents);
    }

    [Fact]
    public async Task RedirectsThatTheHttpClientFollowedAreNotResponses()
    {
        using var http = new HttpClient(new Scripted(request =>
        {
            // As the handlers of .NET do it.
            request.Headers.Authorization = null;
            request.RequestUri = new Uri("https://other.example/a");
            return Json("{}");
        }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => GetAsync(connection));
        Assert.Equal(
            "invalid response: the HTTP client followed a redirect to https://other.example/a; check the base URL",
            failure.Message);
        Assert.Equal(1, failure.Attempts);
    }

    [Fact]
    public async Task HandlersMayChangeTheAddress()
    {
        using var http = new HttpClient(new Scripted(request =>
        {
            request.RequestUri = new Uri("https://other.example/a");
            return Json("{}");
        }));
        using var connection = Connect(http);
        await GetAsync(connection);
    }

    [Fact]
    public async Task ExceptionsOfHandlersAreNotRetried()
    {
        var arrivals = 0;
        var log = new List<LogEvent>();
        using var http = new HttpClient(new Scripted(_ => throw new InvalidOperationException($"arrival {++arrivals}")));
        using var connection = Connect(http, log: log);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection));
        Assert.IsType<InvalidOperationException>(failure.InnerException);
        Assert.Equal("the HTTP client failed: arrival 1", failure.Message);
        Assert.Equal((1, 1), (arrivals, failure.Attempts));
        Assert.Equal([LogEventKind.Request, LogEventKind.Failure], log.Select(each => each.Kind));
    }

    [Fact]
    public async Task InvalidResponsesAreLoggedOnce()
    {
        var log = new List<LogEvent>();
        using var http = new HttpClient(new Scripted(_ => Json("[]")));
        using var connection = Connect(http, log: log);
        var node = new NodeCall<string, string>("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => node.CallAsync(connection, "a", null, default));
        Assert.Equal([LogEventKind.Request, LogEventKind.Response, LogEventKind.Failure], log.Select(each => each.Kind));
        Assert.Same(failure, log[^1].Exception);
    }

    [Fact]
    public async Task ExceptionsOfBodiesOfHandlersAreNotRetried()
    {
        using var http = new HttpClient(new Scripted(
            _ => new HttpResponseMessage { Content = new BrokenOff("{", new InvalidOperationException("not Brotli")) }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<InterruptedResponseException>(() => GetAsync(connection));
        Assert.IsType<InvalidOperationException>(failure.InnerException);
        Assert.Equal(
            ("the HTTP client failed while reading the response: not Brotli", "{", 1),
            (failure.Message, failure.Body, failure.Attempts));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task TimeoutsAndSocketsOfHandlersAreRetried(bool isTimeout)
    {
        using var http = new HttpClient(new Scripted(
            _ => throw (isTimeout ? new TimeoutException() : new System.Net.Sockets.SocketException(111))));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection));
        Assert.Equal(3, failure.Attempts);
    }

    [Fact]
    public async Task CancellationComesBeforeTheExceptionOfAHandler()
    {
        using var source = new CancellationTokenSource();
        using var http = new HttpClient(new Scripted(_ =>
        {
            source.Cancel();
            throw new InvalidOperationException("a policy gave up");
        }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<OperationCanceledException>(
            () => connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, source.Token));
        Assert.Equal(source.Token, failure.CancellationToken);
    }

    [Fact]
    public async Task DisposedClientsAreNotRetried()
    {
        using var http = new HttpClient(new Scripted(_ => Json("{}")));
        using var connection = Connect(http);
        http.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => GetAsync(connection));
        connection.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => GetAsync(connection));
    }

    [Fact]
    public async Task DisposedClientsAreNamedByTheirClass()
    {
        var connection = new Connection(new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9" }, "test/1")
        {
            Client = typeof(CallTests),
        };
        connection.Dispose();
        var failure = await Assert.ThrowsAsync<ObjectDisposedException>(() => GetAsync(connection));
        Assert.Equal(typeof(CallTests).FullName, failure.ObjectName);
    }

    [Fact]
    public async Task HostsThatDoNotRespondAreUnreachable()
    {
        using var handler = new SocketsHttpHandler
        {
            ConnectCallback = async (_, token) =>
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, token);
                return Stream.Null;
            },
            ConnectTimeout = TimeSpan.FromMilliseconds(50),
            UseProxy = false,
        };
        using var http = new HttpClient(handler);
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection));
        Assert.Equal(3, failure.Attempts);
        Assert.Contains("ConnectTimeout", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AttemptsThatTheHttpClientEndsAreTimeouts()
    {
        using var http = new HttpClient(new Scripted(async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, token);
            return Json("{}");
        }));
        http.Timeout = TimeSpan.FromMilliseconds(50);
        using var connection = Connect(http);
        await Assert.ThrowsAsync<CallTimeoutException>(() => GetAsync(connection));
    }

    /// <summary>That is how a reset of an HTTP/2 stream looks while an upload waits for a <c>100 Continue</c>.</summary>
    [Fact]
    public async Task RequestsThatTheTransportAbortsAreNotTimeouts()
    {
        using var http = new HttpClient(new Scripted(_ => throw new TaskCanceledException()));
        using var connection = Connect(http);
        var options = new CallOptions { AttemptTimeout = TimeSpan.FromMinutes(1) };
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection, options));
        Assert.Equal(3, failure.Attempts);
        Assert.StartsWith("no response from the service at ", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(": the HTTP client aborted the request", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TheTransportFindsDeadConnections()
    {
        using var handler = Connection.MakeHandler();
        Assert.Equal(TimeSpan.FromSeconds(10), handler.ConnectTimeout);
        Assert.Equal(TimeSpan.FromSeconds(30), handler.KeepAlivePingDelay);
        Assert.Equal(TimeSpan.FromSeconds(15), handler.KeepAlivePingTimeout);
    }

    [Fact]
    public async Task TheTransportAsksWhetherAConnectionIsDead()
    {
        using var listener = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var keepsAlive = new TaskCompletionSource<bool>();
        using var handler = Connection.MakeHandler();
        handler.UseProxy = false;
        handler.PlaintextStreamFilter = (context, _) =>
        {
            var socket = ((System.Net.Sockets.NetworkStream)context.PlaintextStream).Socket;
            keepsAlive.SetResult((int)socket.GetSocketOption(
                System.Net.Sockets.SocketOptionLevel.Socket, System.Net.Sockets.SocketOptionName.KeepAlive)! != 0);
            throw new IOException("enough");
        };
        using var http = new HttpClient(handler);
        await Assert.ThrowsAsync<HttpRequestException>(() => http.GetAsync(new Uri($"http://{listener.LocalEndpoint}")));
        Assert.True(await keepsAlive.Task);
    }

    [Fact]
    public void ExceptionsOfCallsCanBeMade()
    {
        Assert.Equal("no key", ModelFactory.ConfigurationException("no key").Message);
        var invalid = ModelFactory.InvalidResponseException("not JSON", ModelFactory.ApiResponse(body: "<html>"));
        Assert.Equal(("not JSON", 200, "<html>"), (invalid.Message, invalid.Status, invalid.Body));
        Assert.Equal(Id, ModelFactory.CallTimeoutException(Id).ExecutionId);
        Assert.Equal(Id, ModelFactory.StreamInterruptedException(Id).ExecutionId);
        Assert.Equal("not a number", ModelFactory.ValueException("not a number").Message);
        var mismatch = ModelFactory.IdempotencyMismatchException(Id, "graph_id", "input");
        Assert.Equal(Id, mismatch.ExecutionId);
        Assert.Contains("differs in its flow and input", mismatch.Message, StringComparison.Ordinal);
        Assert.Equal("cannot reach the service", ModelFactory.ConnectionException().Message);
        var broken = ModelFactory.InterruptedResponseException(ModelFactory.ApiResponse(body: "half"));
        Assert.Equal((200, "half"), (broken.Status, broken.Body));
        var refused = ModelFactory.StatusException(429, "quota_exceeded", "enough", TimeSpan.FromMinutes(1), Id);
        Assert.IsType<QuotaExceededException>(refused);
        Assert.Equal((429, "quota_exceeded", TimeSpan.FromMinutes(1), Id), (refused.Status, refused.ErrorCode, refused.RetryAfter, refused.ExecutionId));
        Assert.Equal($"enough (HTTP 429, execution {Id})", refused.Message);
        var paced = ModelFactory.StatusException(429, retryAfter: TimeSpan.FromSeconds(3), idempotencyKey: "order-4711", attempts: 3);
        Assert.Equal(("no error message (HTTP 429)", TimeSpan.FromSeconds(3)), (paced.Message, paced.RetryAfter));
        Assert.Equal(("order-4711", 3), (paced.IdempotencyKey, paced.Attempts));
        var failed = ModelFactory.FlowFailedException(Id, "tired");
        Assert.Equal((Id, "flow_failed", $"tired (execution {Id})"), (failed.ExecutionId, failed.ErrorCode, failed.Message));
        var retry = ModelFactory.LogEvent(LogEventKind.Retry) with { Delay = TimeSpan.FromSeconds(1) };
        Assert.Equal((LogEventKind.Retry, 1.0), (retry.Kind, retry.Delay!.Value.TotalSeconds));
        Assert.Equal((404, "", 0), (ModelFactory.ApiResponse(404).Status, ModelFactory.ApiResponse(404).Body, ModelFactory.ApiResponse(404).Headers.Count));
    }

    [Theory]
    [InlineData(99)]
    [InlineData(101)]
    [InlineData(200)]
    [InlineData(600)]
    public void StatusesOfExceptionsAreErrors(int status) =>
        Assert.Throws<ArgumentOutOfRangeException>("status", () => ModelFactory.StatusException(status));

    [Fact]
    public void ExceptionsOfLostRequestsCanBeMade()
    {
        var refused = new IOException("refused");
        var lost = ModelFactory.ConnectionException("no response", "order-4711", 3, refused);
        Assert.Equal(("no response", "order-4711", 3), (lost.Message, lost.IdempotencyKey, lost.Attempts));
        Assert.Same(refused, lost.InnerException);
        var late = ModelFactory.CallTimeoutException(idempotencyKey: "order-4711", attempts: 2, innerException: lost);
        Assert.Equal("the call did not complete within its timeout; an earlier attempt failed: no response", late.Message);
        Assert.Equal((null, "order-4711", 2), (late.ExecutionId, late.IdempotencyKey, late.Attempts));
        Assert.Same(lost, late.InnerException);
        Assert.Same(refused, ModelFactory.CallTimeoutException(innerException: refused).InnerException);
        var waited = ModelFactory.WaitTimeoutException(Id, lost);
        Assert.EndsWith("it may still be running; reading it failed: no response", waited.Message, StringComparison.Ordinal);
        Assert.Same(lost, waited.InnerException);
    }

    [Fact]
    public void ResponsesAreShownWithTheirIds()
    {
        var headers = new Dictionary<string, string> { ["X-Execution-Id"] = Id, ["X-Request-Id"] = "r-1" };
        Assert.Equal("HTTP 200", $"{ModelFactory.ApiResponse()}");
        Assert.Equal($"HTTP 201 (execution {Id}, request r-1)", $"{ModelFactory.ApiResponse("secret", 201, "secret", headers)}");
    }

    [Fact]
    public async Task LogsHaveTheExceptionAndOneLine()
    {
        var log = new List<LogEvent>();
        var responses = new Queue<HttpResponseMessage>([Json("{}", HttpStatusCode.ServiceUnavailable), Json("{}", HttpStatusCode.NotFound)]);
        using var http = new HttpClient(new Scripted(_ => responses.Dequeue()));
        using var connection = Connect(http, log: log);
        var failure = await Assert.ThrowsAsync<NotFoundException>(() => GetAsync(connection, new CallOptions { IdempotencyKey = "mine" }));
        Assert.Equal([false, false, true, false, false, true], log.Select(each => each.Exception is not null));
        Assert.Same(failure, log[^1].Exception);
        Assert.Equal("Request GET /a (attempt 1, key mine)", $"{log[0]}");
        Assert.StartsWith("Response GET /a (attempt 1, HTTP 503, key mine, after 00:00:0", $"{log[1]}", StringComparison.Ordinal);
        Assert.Equal("Retry GET /a (attempt 1, key mine, again in 00:00:00): no error message (HTTP 503)", $"{log[2]}");
    }

    [Theory]
    [InlineData(HttpRequestError.ResponseEnded, false, "no response from")]
    [InlineData(HttpRequestError.Unknown, true, "no response from")]
    [InlineData(HttpRequestError.ConnectionError, true, "cannot reach")]
    [InlineData(HttpRequestError.NameResolutionError, false, "cannot reach")]
    [InlineData(HttpRequestError.ConfigurationLimitExceeded, false, "no response from")]
    public async Task ServicesThatWereReachedAreNotUnreachable(HttpRequestError error, bool isOfStream, string expected)
    {
        using var http = new HttpClient(new Scripted(
            _ => throw new HttpRequestException(error, "reset", isOfStream ? new IOException("reset") : null)));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => GetAsync(connection));
        Assert.Equal($"{expected} the service at http://127.0.0.1:9: reset", failure.Message);
        Assert.Equal(3, failure.Attempts);
    }

    [Fact]
    public async Task ServicesThatDoNotOpenASocketWereReached()
    {
        using var http = new HttpClient(new Scripted(_ => new HttpResponseMessage(HttpStatusCode.SwitchingProtocols)));
        using var connection = Connect(http);
        var node = new NodeCall<string, string>("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => node.OpenAsync(connection, null, default));
        Assert.StartsWith("no response from the service at http://127.0.0.1:9: ", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task RequestsOnConnectionsThatAreClosedAreSentOnce(bool isCancel)
    {
        var requests = 0;
        using var listener = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _ = CloseEachAsync();
        // Another transport would repeat requests without a body.
        var handler = isCancel ? new SocketsHttpHandler() : Connection.MakeHandler();
        handler.UseProxy = false;
        using var http = new HttpClient(handler);
        var options = new ClientOptions { ApiKey = "key", BaseUrl = $"http://{listener.LocalEndpoint}", HttpClient = http, MaxRetries = 0 };
        using var connection = new Connection(options, "test/1");
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<ConnectionException>(() => isCancel ? run.CancelAsync() : run.GetAsync());
        Assert.StartsWith("no response from the service at ", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, requests);

        async Task CloseEachAsync()
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync();
                await client.GetStream().ReadAsync(new byte[4096]);
                requests++;
            }
        }
    }

    [Fact]
    public async Task WebPagesAreNoResponses()
    {
        using var http = new HttpClient(new Scripted(
            _ => new HttpResponseMessage { Content = new StringContent("<html>", System.Text.Encoding.UTF8, "text/html") }));
        using var connection = Connect(http);
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => run.GetAsync());
        Assert.Equal(
            $"invalid response: not a JSON object; the response is a web page, check the base URL (execution {Id})",
            failure.Message);
    }

    [Theory]
    [InlineData(500_000, "0.05")]
    [InlineData(1, "0.0000001")]
    public async Task TimeoutsSayHowLongTheyWere(long ticks, string seconds)
    {
        using var http = new HttpClient(new Scripted(async (_, token) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, token);
            return Json("{}");
        }));
        using var connection = Connect(http);
        var failure = await Assert.ThrowsAsync<CallTimeoutException>(
            () => GetAsync(connection, new CallOptions { Timeout = TimeSpan.FromTicks(ticks) }));
        Assert.Equal($"the call did not complete within its timeout of {seconds} s", failure.Message);
    }

    [Fact]
    public void ClientsShareATransport()
    {
        var options = new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9" };
        using var one = new Connection(options, "test/1");
        using var other = new Connection(options, "test/2");
        Assert.Same(one.HttpClient, other.HttpClient);
        Assert.Equal(HttpVersion.Version20, one.HttpClient.DefaultRequestVersion);
    }

    [Fact]
    public async Task NamesWithHalfOfASurrogatePairAreIgnored()
    {
        const string Half = "\"\\ud83d\":1";
        var responses = new Queue<HttpResponseMessage>([
            Json($"{{\"error\":\"busy\",{Half}}}", HttpStatusCode.ServiceUnavailable),
            Json($"{{\"events\":[{{\"type\":\"NODE_STARTED\",\"input\":7,{Half}}}],{Half}}}"),
        ]);
        var log = new List<LogEvent>();
        using var http = new HttpClient(new Scripted(_ => responses.Dequeue()));
        using var connection = Connect(http, log: log);
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var found = new List<ExecutionEvent>();
        await foreach (var executionEvent in run.ListEventsAsync())
        {
            found.Add(executionEvent);
        }

        var started = Assert.Single(found);
        Assert.Equal((ExecutionEventType.NodeStarted, 7), (started.Type, started.Input?.GetInt32()));
        Assert.Contains(log, each => each is { Kind: LogEventKind.Retry, Status: 503 } && each.Reason!.StartsWith("busy", StringComparison.Ordinal));
    }

    [Fact]
    public async Task OutputsThatAreNotUtf8AreInvalid()
    {
        byte[] body = [.. System.Text.Encoding.UTF8.GetBytes($"{{\"execution_id\":\"{Id}\",\"result\":{{\"success\":true,\"output\":\"")];
        body = [.. body, 0xFF, .. "\"}}"u8];
        using var http = new HttpClient(new Scripted(_ => new HttpResponseMessage { Content = new ByteArrayContent(body) }));
        using var connection = Connect(http);
        var flow = new FlowCall<string, string>("Words", "graph", ProtoJson.StringValue, ProtoJson.StringValue);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => flow.RunAsync(connection, "a", null, default));
        Assert.Equal($"invalid response: output is not valid UTF-8 (execution {Id})", failure.Message);
    }

    [Theory]
    [InlineData("-9223372036854775808")]
    [InlineData("62135596800000")]
    [InlineData("1.5")]
    public void TimesOfEventsThatAreOutOfRangeAreIgnored(string milliseconds)
    {
        using var json = System.Text.Json.JsonDocument.Parse($"{{\"type\":\"NODE_STARTED\",\"timestamp_ms\":{milliseconds}}}");
        Assert.Null(new ExecutionEvent(json.RootElement).Time);
    }

    [Fact]
    public async Task CallsAreTraced()
    {
        using var traced = new Traced("Traced");
        using var http = new HttpClient(new Scripted(_ => Json("{}", HttpStatusCode.NotFound)));
        using var connection = Connect(http);
        await Assert.ThrowsAsync<NotFoundException>(
            () => connection.CallAsync("Traced", null, call => call.GetAsync("/a"), Id, default));
        var activity = Assert.Single(traced.Activities);
        Assert.Equal(ActivityStatusCode.Error, activity.Status);
        Assert.Equal("1.0.0", activity.Source.Version);
        Assert.Equal(["NotFoundException", "1", Id], new[] { "error.type", "svc.attempts", "svc.execution_id" }.Select(tag => $"{activity.GetTagItem(tag)}"));
    }

    [Fact]
    public async Task CancelledCallsAreNoErrorsOfTraces()
    {
        using var traced = new Traced("TracedCancellation");
        using var source = new CancellationTokenSource();
        using var http = new HttpClient(new Scripted(async (_, token) =>
        {
            await source.CancelAsync();
            token.ThrowIfCancellationRequested();
            return Json("{}");
        }));
        using var connection = Connect(http);
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => connection.CallAsync("TracedCancellation", null, call => call.GetAsync("/a"), Id, source.Token));
        var activity = Assert.Single(traced.Activities);
        Assert.Equal((ActivityStatusCode.Unset, null), (activity.Status, activity.GetTagItem("error.type")));
    }

    private static Task<ApiResponse> GetAsync(Connection connection, CallOptions? options = null) =>
        connection.CallAsync("Test", options, call => call.GetAsync("/a"), null, CancellationToken.None);

    private static Connection Connect(
        HttpClient http,
        string key = "a-key-of-the-tests",
        List<LogEvent>? log = null,
        int budget = 10) => new(
            new ClientOptions
            {
                ApiKey = key,
                BaseUrl = "http://127.0.0.1:9",
                HttpClient = http,
                Logger = log is null ? null : log.Add,
                RetryBudget = budget,
                RetryDelay = TimeSpan.Zero,
            },
            "test/1");

    private static HttpResponseMessage Json(string body, HttpStatusCode status = HttpStatusCode.OK) =>
        new(status) { Content = new StringContent(body) };

    private static HttpResponseMessage Paced(string seconds)
    {
        var response = Json("{}", HttpStatusCode.TooManyRequests);
        response.Headers.TryAddWithoutValidation("Retry-After", seconds);
        return response;
    }

    /// <summary>A body that breaks off behind a text, or does not arrive without one.</summary>
    private sealed class BrokenOff(string? text, Exception? failure = null) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, default);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
        {
            if (text is null)
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }

            await stream.WriteAsync(System.Text.Encoding.UTF8.GetBytes(text!), cancellationToken);
            throw failure ?? new IOException("reset");
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }

    private sealed class Scripted(Func<HttpRequestMessage, CancellationToken, Task<HttpResponseMessage>> response)
        : HttpMessageHandler
    {
        internal Scripted(Func<HttpRequestMessage, HttpResponseMessage> response)
            : this((request, _) => Task.FromResult(response(request)))
        {
        }

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken) => response(request, cancellationToken);
    }
}

/// <summary>The ended activities of an operation.</summary>
internal sealed class Traced : IDisposable
{
    private readonly ActivityListener _listener;

    internal Traced(string operation)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Svc.Runtime",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                if (activity.OperationName == operation)
                {
                    Activities.Add(activity);
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    internal List<Activity> Activities { get; } = [];

    public void Dispose() => _listener.Dispose();
}

/// <summary>The names of the tags of the measured durations of an operation.</summary>
internal sealed class Measured : IDisposable
{
    private readonly MeterListener _listener = new();

    internal Measured(string operation)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Name == "svc.client.call.duration")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((_, _, tags, _) =>
        {
            if (tags[0].Value is string name && name == operation)
            {
                Tags.Add([.. tags.ToArray().Select(tag => tag.Key)]);
            }
        });
        _listener.Start();
    }

    internal List<string[]> Tags { get; } = [];

    public void Dispose() => _listener.Dispose();
}

/// <summary>Counts the requests of a test by the metric.</summary>
internal sealed class SentRequests : IDisposable
{
    private static readonly AsyncLocal<SentRequests?> Current = new();

    private readonly MeterListener _listener = new();

    internal SentRequests()
    {
        Current.Value = this;
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Name == "svc.client.attempts")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((_, count, _, _) =>
        {
            // Other tests send requests meanwhile, on threads of their own.
            if (Current.Value == this)
            {
                Count += count;
            }
        });
        _listener.Start();
    }

    internal long Count { get; private set; }

    public void Dispose() => _listener.Dispose();
}
