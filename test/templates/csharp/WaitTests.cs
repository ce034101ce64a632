using System.Net;
using System.Text.Json;
using Xunit;

namespace Svc.Runtime.Tests;

public class WaitTests
{
    private const string Id = "0123456789abcdef0123456789abcdef";
    private const string NoEvents = """{"events":[]}""";

    /// <summary>The body of a response that does not come.</summary>
    private const string Silence = "";

    /// <summary>The body of a 503.</summary>
    private const string Down = """{"error":"down","message":"down"}""";

    /// <summary>The body of a response that is lost.</summary>
    private const string Lost = "lost";

    /// <summary>The body of a 409.</summary>
    private const string NotCancellable = """{"error":"EXECUTION_NOT_CANCELLABLE","code":"execution_not_cancellable"}""";

    [Theory]
    [InlineData("FAILED", ""","error_message":"tired","failed_node_name":"second" """, "tired")]
    [InlineData("CANCELLED", "", "the status is CANCELLED")]
    [InlineData("EXPIRED", ""","completed_at":"2026-01-31T09:30:00Z" """, "the status is EXPIRED")]
    public async Task RunsThatFailWithoutAFinalEventFailTheWait(string status, string more, string reason)
    {
        var record = RecordOf(status, more);
        var service = new Service(record, NoEvents);
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => service.Run.WaitAsync());
        Assert.Equal($"{reason} (execution {Id})", failure.Message);
        Assert.Equal((Id, record, "flow_failed"), (failure.ExecutionId, failure.Body, failure.ErrorCode));
        Assert.Equal(status, failure.ExecutionStatus);
        Assert.Equal(status == "FAILED" ? "second" : null, failure.FailedNodeName);
        Assert.Equal(2, service.Paths.Count);
    }

    [Theory]
    [InlineData("FAILED")]
    [InlineData("CANCELLED")]
    public async Task FailuresOfRunsHaveTheirStatus(string status)
    {
        var record = RecordOf(status, ""","failed_node_name":"second" """);
        var service = new Service(record, """{"events":[{"type":"FLOW_FAILED","error":"tired"}]}""");
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => service.Run.WaitAsync());
        Assert.Equal((status, "second"), (failure.ExecutionStatus!.Value.Name, failure.FailedNodeName));
        var made = ModelFactory.FlowFailedException(Id, "tired", status, "second");
        Assert.Equal((status, "second"), (made.ExecutionStatus!.Value.Name, made.FailedNodeName));
    }

    [Fact]
    public async Task ForksOfRunsAreTheirStatus()
    {
        var service = new Service(RecordOf("FORKED"), """{"events":[{"type":"FLOW_FAILED","error":"execution forked"}]}""");
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => service.Run.WaitAsync());
        Assert.Equal(ExecutionStatus.Forked, failure.ExecutionStatus);
        Assert.StartsWith("execution forked (", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", null)]
    [InlineData(""","execution_status":"CANCELLED" """, "CANCELLED")]
    public async Task StatusesThatTheServiceDidNotSendAreNull(string more, string? status)
    {
        var service = new Service($$$"""{"execution_id":"{{{Id}}}","result":{"success":false,"error_message":"tired"}{{{more}}}}""");
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => flow.RunAsync(service.Connection, 1, null, default));
        Assert.Equal((status, null), (failure.ExecutionStatus?.Name, failure.FailedNodeName));
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Looks
    {
        [Theory]
        [InlineData(2_000, null)]
        [InlineData(60_000, 2_000)]
        public async Task LooksThatAreNotAnsweredAreRepeated(int lookTimeout, int? attemptTimeout)
        {
            var record = RecordOf("COMPLETED");
            var service = new Service(Silence, record, Silence, record, """{"events":[{"type":"FLOW_COMPLETED","output":7}]}""");
            var options = new CallOptions { AttemptTimeout = attemptTimeout is { } time ? TimeSpan.FromMilliseconds(time) : null };
            Assert.Equal(7, await service.RunOf(TimeSpan.FromMilliseconds(lookTimeout)).WaitAsync(options));
            Assert.Equal(5, service.Paths.Count);
            Assert.Equal(2, service.Log.Count(each => each.Kind == LogEventKind.Retry && each.Exception is CallTimeoutException));
        }

        [Fact]
        public async Task WaitsWhoseLooksAreNotAnsweredSayIt()
        {
            var service = new Service([.. Enumerable.Repeat(Silence, 100)]);
            var run = service.RunOf(TimeSpan.FromMilliseconds(100));
            var options = new CallOptions { Timeout = TimeSpan.FromSeconds(4) };
            var failure = await Assert.ThrowsAsync<WaitTimeoutException>(() => run.WaitAsync(options));
            const string reason = "reading it failed: the attempt did not complete within its timeout (execution ";
            Assert.Contains(reason, failure.Message, StringComparison.Ordinal);
            Assert.IsType<CallTimeoutException>(failure.InnerException);
            Assert.InRange(service.Paths.Count, 2, 100);
        }
    }

    [Fact]
    public void LooksEndAfterHalfAMinute() => Assert.Equal(TimeSpan.FromSeconds(30), new Service().Connection.LookTimeout);

    [Theory]
    [InlineData("""{"order":"A-1","lines":[1,null,{"deep":{"er":[]}}]}""")]
    [InlineData("9007199254740993")]
    [InlineData("null")]
    public async Task OutputsOfAnyFlowAreJson(string output)
    {
        var service = new Service(RecordOf("COMPLETED"), $$"""{"events":[{"type":"FLOW_COMPLETED","output":{{output}}}]}""");
        Assert.Equal(output, (await AnyFlow.ExecutionOf(service.Connection, Id).WaitAsync()).GetRawText());
    }

    [Fact]
    public async Task OutputsOfAnyFlowAreText()
    {
        var service = new Service(RecordOf("COMPLETED"), """{"events":[{"type":"FLOW_COMPLETED","output":{"text":"\ud800"}}]}""");
        var run = AnyFlow.ExecutionOf(service.Connection, Id);
        await Assert.ThrowsAsync<InvalidResponseException>(() => run.WaitAsync());
    }

    [Fact]
    public async Task ForksOfAnyFlowAreOfAnyFlow()
    {
        var service = new Service($$"""{"execution_id":"{{Id}}"}""", RecordOf("COMPLETED"), """{"events":[{"type":"FLOW_COMPLETED","output":7}]}""");
        var fork = await AnyFlow.ExecutionOf(service.Connection, Id).ForkAsync();
        Assert.Equal(7, (await fork.WaitAsync()).GetInt32());
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class FinalEvents
    {
        [Fact]
        public async Task FinalEventsOfCompletedRunsAreWaitedFor()
        {
            var record = RecordOf("COMPLETED");
            var service = new Service(record, NoEvents, record, """{"events":[{"type":"FLOW_COMPLETED","output":7}]}""");
            Assert.Equal(7, await service.Run.WaitAsync());
            Assert.Equal(4, service.Paths.Count);
        }

        [Fact]
        public async Task FinalEventsAreWaitedForUntilTheDeadline()
        {
            var service = new Service([.. Enumerable.Repeat<string[]>([RecordOf("COMPLETED"), NoEvents], 100).SelectMany(each => each)]);
            var options = new CallOptions { Timeout = TimeSpan.FromSeconds(3) };
            var failure = await Assert.ThrowsAsync<WaitTimeoutException>(() => service.Run.WaitAsync(options));
            Assert.Equal(Id, failure.ExecutionId);
            Assert.InRange(service.Paths.Count, 4, 100);
        }

        [Fact]
        public async Task FinalEventsThatDoNotComeAreMissing()
        {
            var service = new Service([.. Enumerable.Repeat<string[]>([RecordOf("COMPLETED"), NoEvents], 100).SelectMany(each => each)]);
            var options = new CallOptions { Timeout = Timeout.InfiniteTimeSpan };
            var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => service.Run.WaitAsync(options));
            Assert.Equal($"invalid response: the run has completed, but its final event is missing (execution {Id})", failure.Message);
            Assert.InRange(service.Paths.Count, 4, 100);
        }
    }

    [Fact]
    public async Task RequestsAreCounted()
    {
        using var sent = new SentRequests();
        var service = new Service(
            RecordOf("RUNNING"),
            RecordOf("RUNNING"),
            RecordOf("COMPLETED"),
            """{"events":[{"type":"FLOW_COMPLETED","output":7}]}""");
        Assert.Equal(7, await service.Run.WaitAsync());
        Assert.Equal((4, 4), (service.Paths.Count, sent.Count));
    }

    /// <summary>Tests that mostly wait. xUnit runs classes in parallel, but not the tests of one class.</summary>
    public class Outages
    {
        [Theory]
        [InlineData(Down, Down, "it may still be running; reading it failed: down (")]
        [InlineData("RUNNING", Down, "it may still be running; reading it failed: down (")]
        [InlineData(Down, "RUNNING", "it continues to run")]
        public async Task WaitsThatEndInAnOutageSayIt(string first, string rest, string reason)
        {
            var records = Enumerable.Repeat(rest, 100).Prepend(first).Select(status => status == Down ? Down : RecordOf(status));
            var service = new Service([.. records]);
            var options = new CallOptions { MaxRetries = 1, Timeout = TimeSpan.FromSeconds(5) };
            var failure = await Assert.ThrowsAsync<WaitTimeoutException>(() => service.Run.WaitAsync(options));
            Assert.StartsWith($"execution {Id} did not end in time; {reason}", failure.Message, StringComparison.Ordinal);
            Assert.Equal(rest == Down, failure.InnerException is UpstreamUnavailableException);
            Assert.InRange(service.Paths.Count, 2, 100);
        }
    }

    [Fact]
    public async Task LostLooksAreLoggedAsRetries()
    {
        var service = new Service(RecordOf("RUNNING"), Down, RecordOf("COMPLETED"), Down, """{"error":"gone"}""");
        await Assert.ThrowsAsync<InvalidResponseException>(() => service.Run.WaitAsync());
        var log = service.Log.Where(each => each.Kind is not (LogEventKind.Request or LogEventKind.Response)).ToArray();
        Assert.Equal([LogEventKind.Retry, LogEventKind.Retry, LogEventKind.Failure], log.Select(each => each.Kind));
        Assert.All(log[..2], each => Assert.InRange(each.Delay!.Value, TimeSpan.FromMilliseconds(50), TimeSpan.FromSeconds(2)));
        Assert.All(log, each => Assert.Equal(Id, each.ExecutionId));
    }

    [Theory]
    [InlineData("FAILED", typeof(FlowFailedException))]
    [InlineData("FORKED", typeof(FlowFailedException))]
    [InlineData("RUNNING", typeof(WaitTimeoutException))]
    [InlineData(Silence, typeof(WaitTimeoutException))]
    [InlineData("{}", typeof(InvalidResponseException))]
    public async Task WaitsThatFailLogOneFailure(string status, Type type)
    {
        var record = status is Silence or "{}" ? status : RecordOf(status);
        var service = new Service([record, .. Enumerable.Repeat(status is "FAILED" or "FORKED" ? NoEvents : record, 100)]);
        var options = new CallOptions { Timeout = TimeSpan.FromSeconds(status is "RUNNING" or Silence ? 1 : 60) };
        var failure = await Assert.ThrowsAsync(type, () => service.Run.WaitAsync(options));
        var logged = Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure);
        Assert.Same(failure, logged.Exception);
        Assert.Equal((failure.Message, Id), (logged.Reason, logged.ExecutionId));
    }

    [Fact]
    public async Task WaitsWithoutRetriesLogTheTimeoutOfALookAsOneFailure()
    {
        var service = new Service(Silence);
        var run = service.RunOf(TimeSpan.FromMilliseconds(100));
        var failure = await Assert.ThrowsAsync<WaitTimeoutException>(() => run.WaitAsync(new CallOptions { MaxRetries = 0 }));
        Assert.Same(failure, Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure).Exception);
    }

    [Fact]
    public async Task CallsOfFlowsLogTheFailureOfTheRun()
    {
        var service = new Service($$$"""{"execution_id":"{{{Id}}}","result":{"success":false,"error_message":"tired"}}""");
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => flow.RunAsync(service.Connection, 1, null, default));
        Assert.Equal([LogEventKind.Request, LogEventKind.Response, LogEventKind.Failure], service.Log.Select(each => each.Kind));
        Assert.Same(failure, service.Log[^1].Exception);
    }

    [Theory]
    [InlineData("", "CANCELLED")]
    [InlineData("", "COMPLETED")]
    [InlineData("", Down)]
    [InlineData(Down, "CANCELLED")]
    public async Task CancellationsLogOnlyWhatFails(string first, string found)
    {
        var looks = found == Down ? Enumerable.Repeat(Down, 3) : [RecordOf(found)];
        var service = new Service([first == Down ? Down : Lost, NotCancellable, .. looks]);
        var call = service.Run.CancelAsync();
        if (found == "CANCELLED")
        {
            Assert.Equal(ExecutionStatus.Cancelled, (await call).Status);
            Assert.DoesNotContain(service.Log, each => each.Kind == LogEventKind.Failure);
            return;
        }

        var failure = await Assert.ThrowsAsync<StatusException>(() => call);
        var logged = Assert.Single(service.Log, each => ReferenceEquals(each.Exception, failure));
        Assert.Same(logged, service.Log.Last(each => each.Kind == LogEventKind.Failure));
        Assert.Equal(
            (LogEventKind.Failure, "POST", $"/invocations/v1/executions/{Id}/cancel", 2, 409),
            (logged.Kind, logged.Method, logged.Path, logged.Attempt, logged.Status));
    }

    [Fact]
    public async Task CancellationsThatAreRefusedAtOnceLogOneFailure()
    {
        var service = new Service(NotCancellable);
        var failure = await Assert.ThrowsAsync<StatusException>(() => service.Run.CancelAsync());
        Assert.Same(failure, Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure).Exception);
    }

    [Fact]
    public async Task WaitsWithoutRetriesEndWithAnOutage()
    {
        var service = new Service(Down);
        await Assert.ThrowsAsync<UpstreamUnavailableException>(() => service.Run.WaitAsync(new CallOptions { MaxRetries = 0 }));
        Assert.Single(service.Paths);
        Assert.Equal([LogEventKind.Request, LogEventKind.Response, LogEventKind.Failure], service.Log.Select(each => each.Kind));
    }

    [Fact]
    public async Task RunsThatArePolledKeepTheKeyThatStartedThem()
    {
        var service = new Service($$"""{"execution_id":"{{Id}}"}""", RecordOf("FAILED"), NoEvents);
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var options = new CallOptions { IdempotencyKey = "order-4711" };
        var failure = await Assert.ThrowsAsync<FlowFailedException>(() => flow.RunAsync(service.Connection, 1, options, default));
        Assert.Equal((3, "order-4711"), (service.Paths.Count, failure.IdempotencyKey));
    }

    [Fact]
    public async Task PagesThatRepeatTheirCursorAreInvalid()
    {
        const string Events = """{"events":[],"next_cursor":"a"}""";
        const string Pauses = """{"pauses":[],"next_cursor":"a"}""";
        await CheckAsync(service => DrainAsync(service.Run.ListEventsAsync()), Events, Events);
        await CheckAsync(service => DrainAsync(service.Run.FollowAsync()), Events, Events);
        await CheckAsync(service => service.Run.WaitAsync(), RecordOf("COMPLETED"), Events, Events);
        await CheckAsync(service => DrainAsync(PauseCalls.ListAsync(service.Connection, null, null, default)), Pauses, Pauses);

        static async Task CheckAsync(Func<Service, Task> read, params string[] bodies)
        {
            var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => read(new Service(bodies)));
            Assert.StartsWith("invalid response: next_cursor is the cursor of this page", failure.Message, StringComparison.Ordinal);
        }

        static async Task DrainAsync<T>(IAsyncEnumerable<T> items)
        {
            await foreach (var item in items)
            {
                Assert.Fail($"{item}");
            }
        }
    }

    [Fact]
    public async Task FiltersMayBeNull()
    {
        var service = new Service(NoEvents);
        await foreach (var executionEvent in service.Run.ListEventsAsync(new EventFilter { Types = null! }))
        {
            Assert.Fail($"{executionEvent}");
        }

        Assert.Equal("", new PauseFilter { Statuses = null! }.QueryAfter(null));
    }

    [Fact]
    public void RecordsSayWhyRunsFailed()
    {
        var record = ModelFactory.ExecutionRecord(Id, ExecutionStatus.Failed, errorMessage: "tired", failedNodeName: "second");
        Assert.Equal(("tired", "second"), (record.ErrorMessage, record.FailedNodeName));
        var running = ModelFactory.ExecutionRecord(Id, ExecutionStatus.Running, createdAt: DateTimeOffset.UnixEpoch);
        Assert.Equal((null, null, DateTimeOffset.UnixEpoch), (running.ErrorMessage, running.FailedNodeName, running.CreatedAt));
        Assert.Equal($"execution {Id} (RUNNING)", $"{running}");
    }

    [Fact]
    public void EventsSayWhatFailedAndWhatWaits()
    {
        var failed = ModelFactory.ExecutionEvent("NODE_FAILED", errorMessage: "tired");
        Assert.Equal((ExecutionEventType.NodeFailed, "tired", null), (failed.Type, failed.ErrorMessage, failed.PauseId));
        var paused = ModelFactory.ExecutionEvent("HITL_PAUSED", pauseId: "p-1");
        Assert.Equal((ExecutionEventType.HitlPaused, null, "p-1"), (paused.Type, paused.ErrorMessage, paused.PauseId));
        var placed = ModelFactory.ExecutionEvent("NODE_FAILED", nodeName: "second", errorMessage: "tired");
        Assert.Equal(["NODE_FAILED: tired", "HITL_PAUSED", "NODE_FAILED second: tired"], new[] { failed, paused, placed }.Select(each => $"{each}"));
    }

    [Fact]
    public void DefaultStatusesAreTheFirst()
    {
        Assert.Equal(default, ExecutionStatus.Queued);
        Assert.Equal(default, PauseStatus.Waiting);
        Assert.Equal("QUEUED WAITING", $"{ExecutionStatus.Queued} {PauseStatus.Waiting}");
    }

    [Fact]
    public void NamesConvertToOpenValues()
    {
        ExecutionStatus status = "FAILED";
        ExecutionEventType type = "NODE_LOG";
        PauseStatus pauseStatus = "EXPIRED";
        Assert.Equal((ExecutionStatus.Failed, ExecutionEventType.NodeLog, PauseStatus.Expired), (status, type, pauseStatus));
        Assert.True(type == ExecutionEventType.Names.NodeLog && type != "NEW_TYPE");
        Assert.Equal("", default(ExecutionEventType).Name);
        Assert.Equal(default, new ExecutionEvent(JsonDocument.Parse("""{"type":""}""").RootElement).Type);
        Assert.Contains("&event_type=NODE_LOG&event_type=NEW_TYPE", new EventFilter { Types = [type, "NEW_TYPE"] }.QueryAfter(null), StringComparison.Ordinal);
        Assert.Equal("?status=EXPIRED", new PauseFilter { Statuses = ["EXPIRED"] }.QueryAfter(null));
    }

    [Fact]
    public void ExceptionsAreMadeByTheFactoryAlone()
    {
        var factory = typeof(ModelFactory).GetMethods().Select(method => method.ReturnType).ToArray();
        foreach (var type in typeof(SvcException).Assembly.GetExportedTypes().Where(type => type.IsSubclassOf(typeof(SvcException))))
        {
            Assert.True(type.GetConstructors().Length == 0 && factory.Any(made => made.IsAssignableFrom(type)), $"{type}");
        }
    }

    [Fact]
    public async Task MocksNameTheMemberThatTheyDoNotOverride()
    {
        var run = new Mock();
        Assert.StartsWith("WaitAsync is", (await Assert.ThrowsAsync<NotSupportedException>(() => run.WaitAsync())).Message, StringComparison.Ordinal);
        var following = run.FollowAsync().GetAsyncEnumerator();
        var failure = await Assert.ThrowsAsync<NotSupportedException>(async () => await following.MoveNextAsync());
        Assert.StartsWith("FollowAsync is", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("nope")]
    [InlineData("../0123456789abcdef0123456789abcd")]
    public void IdsOfRunsAreCheckedAtOnce(string id)
    {
        var service = new Service();
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var failure = Assert.Throws<ArgumentException>(() => flow.ExecutionOf(service.Connection, id));
        Assert.Equal("id", failure.ParamName);
        Assert.Throws<ArgumentNullException>(() => flow.ExecutionOf(service.Connection, null!));
        Assert.Equal("id", Assert.Throws<ArgumentException>(() => AnyFlow.ExecutionOf(service.Connection, id)).ParamName);
    }

    [Fact]
    public async Task ResponsesWithAPauseNameIt()
    {
        var service = new Service($$"""{"execution_id":"{{Id}}","execution_status":"PAUSED"}""");
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => flow.RunAsync(service.Connection, 1, null, default));
        Assert.Equal(($"invalid response: pause_id is missing (execution {Id})", Id), (failure.Message, failure.ExecutionId));
        string pauseId = ModelFactory.FlowPausedException(Id, "p-1").PauseId;
        Assert.Equal("p-1", pauseId);
    }

    private static string RecordOf(string status, string more = "") =>
        $$"""{"execution_id":"{{Id}}","status":"{{status}}"{{more}}}""";

    private sealed class Mock : Execution<int>;

    /// <summary>Answers requests one after the other, and keeps their paths.</summary>
    private sealed class Service : HttpMessageHandler
    {
        private readonly Queue<string> _bodies;
        private readonly ClientOptions _options;

        internal Service(params string[] bodies)
        {
            _bodies = new(bodies);
            _options = new ClientOptions
            {
                ApiKey = "a-key",
                BaseUrl = "http://service.example",
                HttpClient = new HttpClient(this),
                Logger = Log.Add,
                RetryDelay = TimeSpan.FromMilliseconds(100),
            };
            Connection = new Connection(_options, "test");
            Run = new Execution<int>(Connection, Id, ProtoJson.Int32Value);
        }

        internal Connection Connection { get; }

        internal Execution<int> Run { get; }

        internal List<LogEvent> Log { get; } = [];

        internal List<string> Paths { get; } = [];

        internal Execution<int> RunOf(TimeSpan lookTimeout) =>
            new(new Connection(_options, "test") { LookTimeout = lookTimeout }, Id, ProtoJson.Int32Value);

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken)
        {
            Paths.Add(request.RequestUri!.AbsolutePath);
            var body = _bodies.Dequeue();
            if (body == Silence)
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }

            var status = body switch
            {
                Lost => throw new HttpRequestException("the connection was lost"),
                Down => HttpStatusCode.ServiceUnavailable,
                NotCancellable => HttpStatusCode.Conflict,
                _ => HttpStatusCode.OK,
            };
            return new HttpResponseMessage(status) { Content = new StringContent(body) };
        }
    }
}
