using System.Diagnostics;
using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

public class PauseTests
{
    private const string Id = "0123456789abcdef0123456789abcdef";

    private const string Waiting = $$"""
        {
            "pause_id": "p-1", "execution_id": "{{Id}}", "graph_id": "g-1", "node_name": "ask", "status": "WAITING",
            "interrupt_payload": {"question": "go?", "large": 9007199254740993}, "resume_schema": "acme.v1.Go",
            "checkpoint_id": "c-1", "created_at": "2026-01-31T09:30:00.000Z", "expires_at": "2026-02-01T09:30:00.000Z",
            "resume_url": "https://svc.example.com/secret", "resumed_at": null, "escalated_at": null
        }
        """;

    private const string Resumed = """
        {
            "pause_id": "p-1", "status": "RESUMED", "resumed_at": "2026-01-31T09:31:00.000Z", "resumed_by": "bob",
            "resume_value": {"go": true}, "already_resumed": true
        }
        """;

    [Fact]
    public async Task WaitsEndAtPauses()
    {
        using var server = new Server($$"""{"execution_id":"{{Id}}","status":"RUNNING","pause_id":"p-1"}""");
        var failure = await Assert.ThrowsAsync<FlowPausedException>(() => server.Run.WaitAsync());
        Assert.Equal(("p-1", Id, "flow_paused"), (failure.PauseId, failure.ExecutionId, failure.ErrorCode));
    }

    [Theory]
    [InlineData($$"""{"execution_id":"{{Id}}","execution_status":"PAUSED","pause_id":"p-1"}""")]
    [InlineData($$"""{"execution_id":"{{Id}}"}""", $$"""{"execution_id":"{{Id}}","status":"RUNNING","pause_id":"p-1"}""")]
    public async Task PausesAreNoFailures(params string[] bodies)
    {
        using var traced = new Traced("TracedPause");
        using var measured = new Measured("TracedPause");
        using var server = new Server(bodies);
        var flow = new FlowCall<int, int>("TracedPause", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        await Assert.ThrowsAsync<FlowPausedException>(() => flow.RunAsync(server.Connection, 1, null, default));
        Assert.DoesNotContain(server.Log, each => each.Kind == LogEventKind.Failure);
        var activity = Assert.Single(traced.Activities);
        Assert.Equal((ActivityStatusCode.Unset, null), (activity.Status, activity.GetTagItem("error.type")));
        Assert.Equal(["svc.operation"], Assert.Single(measured.Tags));
    }

    [Fact]
    public async Task FailuresAreMeasuredWithTheirType()
    {
        using var measured = new Measured("MeasuredFailure");
        using var server = new Server($$$"""{"execution_id":"{{{Id}}}","result":{"success":false}}""");
        var flow = new FlowCall<int, int>("MeasuredFailure", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        await Assert.ThrowsAsync<FlowFailedException>(() => flow.RunAsync(server.Connection, 1, null, default));
        Assert.Equal(["svc.operation", "error.type"], Assert.Single(measured.Tags));
    }

    [Fact]
    public async Task QuestionsAndDecisionsThatAreNullAreAbsent()
    {
        const string asked = $$"""
            {"pause_id":"p-1","execution_id":"{{Id}}","status":"RESUMED","interrupt_payload":null,"resume_value":null}
            """;
        using var server = new Server($$"""{"pauses":[{{asked}}]}""");
        var pause = Assert.Single(await ListAsync(server));
        Assert.Equal((null, null), (pause.Question, pause.Decision));
    }

    [Fact]
    public async Task PausesAreTyped()
    {
        using var server = new Server($$"""{"pauses":[{{Waiting}}]}""");
        var pause = Assert.Single(await ListAsync(server));
        Assert.Equal(("p-1", Id, "g-1", "ask"), (pause.Id, pause.ExecutionId, pause.GraphId, pause.NodeName));
        Assert.Equal((PauseStatus.Waiting, "acme.v1.Go", "c-1"), (pause.Status, pause.DecisionType, pause.CheckpointId));
        Assert.Equal(9007199254740993, pause.Question!.Value.GetProperty("large").GetInt64());
        Assert.Equal(new DateTimeOffset(2026, 2, 1, 9, 30, 0, TimeSpan.Zero), pause.ExpiresAt);
        Assert.Equal("https://svc.example.com/secret", pause.ResumeUrl);
        Assert.Equal((null, null, null, null), (pause.ResumedAt, pause.EscalatedAt, pause.ResumedBy, pause.Decision));
        Assert.Equal("pause p-1 (WAITING)", pause.ToString());
        Assert.Equal([$"GET /invocations/v1/executions/{Id}/pauses "], server.Requests);
    }

    [Fact]
    public async Task DecisionsAreSent()
    {
        foreach (var (decision, value) in new (PauseDecision, string)[]
        {
            (PauseDecision.Default, ""),
            (PauseDecision.FromJson("""{"go": [1, null]}"""), ""","value":{"go": [1, null]}"""),
            (PauseDecision.FromJson(new JsonObject { ["go"] = "on" }), ""","value":{"go":"on"}"""),
            (PauseDecision.FromMessage(new Empty()), ""","value":{}"""),
            (PauseDecision.FromBytes(new byte[] { 251, 255 }), ""","value":"+/8=" """.TrimEnd()),
            (PauseDecision.FromBytes(default), ""","value":"" """.TrimEnd()),
        })
        {
            using var server = new Server(Resumed);
            var resumed = await server.Run.ResumeAsync("p-1", decision, "ann");
            Assert.Equal(("p-1", PauseStatus.Resumed, true), (resumed.PauseId, resumed.Status, resumed.AlreadyResumed));
            Assert.True(resumed.Decision!.Value.GetProperty("go").GetBoolean());
            Assert.Equal(
                [$$"""POST /invocations/v1/flows/{{Id}}/resume {"pause_id":"p-1"{{value}},"resumed_by":"ann"}"""],
                server.Requests);
        }
    }

    [Theory]
    [InlineData("\"go\"")]
    [InlineData("[]")]
    [InlineData("null")]
    [InlineData("go")]
    [InlineData("")]
    public void OtherDecisionsAreRefused(string json) =>
        Assert.Throws<ValueException>(() => PauseDecision.FromJson(json));

    [Fact]
    public void MessagesThatAreNoObjectsAreRefused() =>
        Assert.Throws<ValueException>(() => PauseDecision.FromMessage(new Duration(1, 0)));

    [Fact]
    public void HalfSurrogatePairsAreRefused() =>
        Assert.Throws<ValueException>(() => PauseDecision.FromJson("{\"go\":\"\ud800\"}"));

    [Fact]
    public void NumbersThatAreNoJsonAreRefused() =>
        Assert.Throws<ValueException>(() => PauseDecision.FromJson(new JsonObject { ["go"] = double.NaN }));

    [Fact]
    public async Task DecisionsNameTheirPause()
    {
        using var server = new Server("{}");
        await Assert.ThrowsAsync<ArgumentException>("pauseId", () => server.Run.ResumeAsync("", PauseDecision.Default));
        await Assert.ThrowsAsync<ArgumentException>("pauseId", () => server.Run.ResumeAsync("\ud800", PauseDecision.Default));
        await Assert.ThrowsAsync<ArgumentException>("resumedBy", () => server.Run.ResumeAsync("p-1", PauseDecision.Default, "\ud800"));
        Assert.Empty(server.Requests);
    }

    [Fact]
    public async Task DecisionsThatAreForgottenAreNotSent()
    {
        using var server = new Server("{}");
        var failure = await Assert.ThrowsAsync<ArgumentNullException>(() => server.Run.ResumeAsync("p-1", null!));
        Assert.Equal("decision", failure.ParamName);
        Assert.Empty(server.Requests);
    }

    [Fact]
    public void ForksNameTheirCheckpoint()
    {
        Assert.Throws<ArgumentException>("value", () => new ForkOptions { CheckpointId = "" });
        Assert.Throws<ArgumentException>("value", () => new ForkOptions { CheckpointId = "\ud800" });
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(1001)]
    public void PagesHaveASize(int size)
    {
        Assert.Throws<ArgumentOutOfRangeException>("value", () => new PauseFilter { PageSize = size });
        Assert.Throws<ArgumentOutOfRangeException>("value", () => new EventFilter { PageSize = size });
    }

    [Fact]
    public async Task PausesOfAllRunsAreReadPageByPage()
    {
        using var server = new Server(
            $$"""{"pauses":[{{Waiting}}],"next_cursor":"next page"}""",
            $$"""{"pauses":[{{Waiting.Replace("WAITING", "DREAMING", StringComparison.Ordinal)}}]}""");
        var filter = new PauseFilter { Statuses = [PauseStatus.Waiting], PageSize = 1 };
        var statuses = new List<string>();
        await foreach (var pause in PauseCalls.ListAsync(server.Connection, filter, null, default))
        {
            statuses.Add(pause.Status.Name);
        }

        Assert.Equal(["WAITING", "DREAMING"], statuses);
        Assert.Equal(
            [
                "GET /invocations/v1/pauses?status=WAITING&limit=1 ",
                "GET /invocations/v1/pauses?status=WAITING&limit=1&cursor=next%20page ",
            ],
            server.Requests);
    }

    private static async Task<List<Pause>> ListAsync(Server server)
    {
        List<Pause> pauses = [];
        await foreach (var pause in server.Run.ListPausesAsync())
        {
            pauses.Add(pause);
        }

        return pauses;
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"pauses":{}}""")]
    [InlineData("""{"pauses":[{}]}""")]
    [InlineData("""{"pauses":[7]}""")]
    public async Task InvalidPausesAreRefused(string body)
    {
        using var server = new Server(body);
        await Assert.ThrowsAsync<InvalidResponseException>(() => ListAsync(server));
    }

    [Fact]
    public async Task LinksAreNotShown()
    {
        const string body = """{"pauses":[{"pause_id":"p-1","resume_url":"https://svc.example.com/secret"}]}""";
        using var server = new Server(body, body);
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => ListAsync(server));
        var response = await server.Connection.CallAsync("Test", null, call => call.GetAsync("/pauses"), null, default);
        Assert.Contains("secret", failure.Body!, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", $"{failure} {response} {new ApiResponse<string>(response, "")}", StringComparison.Ordinal);
    }

    [Fact]
    public void PausesCanBeMade()
    {
        var question = JsonSerializer.SerializeToElement(new { Large = 9007199254740993 });
        var expiresAt = new DateTimeOffset(2026, 2, 1, 9, 30, 0, 123, TimeSpan.FromHours(2));
        var pause = ModelFactory.Pause("p-1", Id, graphId: "g-1", question: question, expiresAt: expiresAt, decisionType: "acme.v1.Go");
        Assert.Equal(("p-1", Id, "g-1", PauseStatus.Waiting), (pause.Id, pause.ExecutionId, pause.GraphId, pause.Status));
        Assert.Equal((9007199254740993, expiresAt), (pause.Question!.Value.GetProperty("Large").GetInt64(), pause.ExpiresAt));
        Assert.Equal(("acme.v1.Go", null, null), (pause.DecisionType, pause.Decision, pause.ResumeUrl));
        var resumed = ModelFactory.ResumedPause("p-1", alreadyResumed: true, decision: question, resumedBy: "bob");
        Assert.Equal((true, "bob", question.GetRawText()), (resumed.AlreadyResumed, resumed.ResumedBy, $"{resumed.Decision}"));
        Assert.Equal("pause p-1 (RESUMED)", $"{resumed}");
        var paused = ModelFactory.FlowPausedException("run", "pause");
        Assert.Equal(("run", "pause"), (paused.ExecutionId, paused.PauseId));
        Assert.Equal("run", ModelFactory.WaitTimeoutException("run").ExecutionId);
        Assert.Equal("uploaded messages: 3", $"{ModelFactory.SplitUpload(null, 3)}");
    }

    [Fact]
    public async Task RunsThatArePausedOrContinueAreFoundByTheirExceptions()
    {
        using var server = new Server($$"""{"execution_id":"{{Id}}","status":"RUNNING","pause_id":"p-1"}""");
        var flow = new FlowCall<int, int>("Sum", "graph", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var paused = await Assert.ThrowsAsync<FlowPausedException>(() => server.Run.WaitAsync());
        // These ids are never null: the compiler would warn, and warnings are errors here.
        Assert.Equal(Id, flow.ExecutionOf(server.Connection, paused.ExecutionId).Id);
        Assert.Equal(Id, flow.ExecutionOf(server.Connection, ModelFactory.WaitTimeoutException(Id).ExecutionId).Id);
        Assert.Equal(Id, ((SvcException)paused).ExecutionId);
    }

    /// <summary>Answers requests one after the other.</summary>
    private sealed class Server : HttpMessageHandler
    {
        private readonly Queue<string> _bodies;

        internal Server(params string[] bodies)
        {
            _bodies = new(bodies);
            var http = new HttpClient(this);
            var options = new ClientOptions
            {
                ApiKey = "a-key",
                BaseUrl = "http://service.example",
                HttpClient = http,
                Logger = Log.Add,
            };
            Connection = new Connection(options, "test");
            Run = new Execution<int>(Connection, Id, ProtoJson.Int32Value);
        }

        internal Connection Connection { get; }

        internal Execution<int> Run { get; }

        internal List<LogEvent> Log { get; } = [];

        internal List<string> Requests { get; } = [];

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken)
        {
            var body = request.Content is null ? "" : await request.Content.ReadAsStringAsync(cancellationToken);
            Requests.Add($"{request.Method} {request.RequestUri!.PathAndQuery} {body}");
            return new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(_bodies.Dequeue()) };
        }
    }
}
