using System.Net;
using System.Text;
using Xunit;

namespace Svc.Runtime.Tests;

public class SplitTests
{
    private const string Id = "01J00000000000000000000000";
    private const string Last = """data: {"is_final":true,"success":true}""" + "\n\n";

    private static readonly NodeCall<string, string> Node = new(
        "Words", "/invocations/v1/nodes/acme/a%20b/1.0.0/Words", ProtoJson.StringValue, ProtoJson.StringValue);

    [Fact]
    public async Task StreamsAreOfTheNode()
    {
        var service = new Service(_ => Json("""{"stream_id":"a-1"}""", HttpStatusCode.Created));
        var response = await Node.CreateStreamRawAsync(service.Connection, null, default);
        Assert.Equal(("a-1", 201), (response.Value.Id, response.Status));
        Assert.Equal("stream a-1", response.Value.ToString());
        Assert.Equal("""{"node_ref":"acme/a b/1.0.0/Words"}""", Assert.Single(service.Bodies));
    }

    [Fact]
    public async Task ReadersKnowWhereTheyAre()
    {
        var service = new Service(_ => Events(Word(4, "a") + Word(5, "b")), _ => Events("id: 6\n" + Last));
        var words = service.Stream().ReadOutputAsync(after: "3");
        Assert.Equal("3", words.LastEventId);
        var places = new List<string?>();
        await foreach (var word in words)
        {
            places.Add(words.LastEventId);
        }

        Assert.Equal(["4", "5"], places);
        Assert.Equal("6", words.LastEventId);
        Assert.Equal("e-1", words.ExecutionId);
        Assert.Equal(["3", "5"], service.Places);
    }

    [Fact]
    public async Task IdsOfUnfinishedEventsDoNotCount()
    {
        var service = new Service(_ => Events(Word(0, "a") + "id: 1\ndata: {"), _ => Events("id\n" + Word(1, "b") + "id: 2\n" + Last));
        Assert.Equal(["a", "b"], await ReadAsync(service.Stream().ReadOutputAsync()));
        Assert.Equal([null, "0"], service.Places);
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData("3", "")]
    [InlineData(null, "id: 0\n\n")]
    public async Task MessagesWithoutIdsAreNotGivenTwice(string? after, string before)
    {
        var service = new Service(_ => Events(before + "data: {\"payload\":\"a\"}\n\n"), _ => Events(Last));
        var words = new List<string>();
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(service.Stream().ReadOutputAsync(after), words));
        Assert.Equal(["a"], words);
        Assert.Single(service.Places);
        Assert.Same(failure, Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure).Exception);
    }

    [Fact]
    public async Task OpeningGivesTheRetryBackThatItTook()
    {
        var service = new Service(_ => Json("{}", HttpStatusCode.ServiceUnavailable), _ => Events(Word(0, "a") + Last));
        Assert.Equal(["a"], await ReadAsync(service.Stream().ReadOutputAsync()));
        Assert.Equal(100, Enumerable.Range(0, 200).Count(_ => service.Connection.Budget.Take()));
    }

    [Fact]
    public async Task ConnectionsWithNewsDoNotDrawOnTheBudget()
    {
        var responses = Enumerable.Range(0, 20).Select(Response).Append(_ => Events("id: 20\n" + Last)).ToArray();
        var service = new Service(responses);
        Assert.Equal(20, (await ReadAsync(service.Stream().ReadOutputAsync())).Count);
        Assert.Equal(21, service.Places.Count);
        Assert.DoesNotContain(service.Log, each => each.Kind is LogEventKind.BudgetEmpty or LogEventKind.Failure);

        static Func<HttpRequestMessage, HttpResponseMessage> Response(int place) => _ => Events(Word(place, "a"));
    }

    [Fact]
    public async Task ConnectionsWithoutNewsAreTheAttemptsOfOneCall()
    {
        var service = new Service(
            [
                _ => Events(Word(0, "a")),
                _ => Json("{}", HttpStatusCode.ServiceUnavailable),
                .. Enumerable.Repeat<Func<HttpRequestMessage, HttpResponseMessage>>(_ => Events(""), 7),
                _ => Events(Word(1, "b")),
            ]);
        var words = new List<string>();
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(service.Stream().ReadOutputAsync(), words));
        Assert.Equal(["a"], words);
        Assert.Equal((9, "e-1"), (failure.Attempts, failure.ExecutionId));
        Assert.Equal(8, service.Log.Count(each => each.Kind == LogEventKind.Retry));
        Assert.Same(failure.Message, Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure).Reason);
    }

    [Fact]
    public async Task ConnectionsThatRepeatTheLastMessageHaveNoNews()
    {
        var service = new Service([.. Enumerable.Repeat<Func<HttpRequestMessage, HttpResponseMessage>>(_ => Events(Word(0, "a")), 10)]);
        await Assert.ThrowsAsync<StreamInterruptedException>(() => ReadAsync(service.Stream().ReadOutputAsync()));
        Assert.Equal([null, .. Enumerable.Repeat("0", 8)], service.Places);
    }

    [Fact]
    public async Task FailuresWhileReadingOnAreThrownAndLoggedOnce()
    {
        var service = new Service(_ => Events(Word(0, "a")), _ => Json("{}", HttpStatusCode.NotFound));
        await Assert.ThrowsAsync<NotFoundException>(() => ReadAsync(service.Stream().ReadOutputAsync()));
        Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure);
    }

    [Fact]
    public async Task StreamsWithoutALastMessageDoNotEnd()
    {
        var service = new Service(_ => Events(Word(0, "a")), _ => new HttpResponseMessage(HttpStatusCode.NoContent));
        await Assert.ThrowsAsync<InvalidResponseException>(() => ReadAsync(service.Stream().ReadOutputAsync()));
    }

    [Fact]
    public async Task NothingIsLeftBehindTheLastEvent()
    {
        var service = new Service(_ => new HttpResponseMessage(HttpStatusCode.NoContent));
        Assert.Empty(await ReadAsync(service.Stream().ReadOutputAsync(after: "9")));
        var other = new Service(_ => Json("{}"));
        await Assert.ThrowsAsync<InvalidResponseException>(() => ReadAsync(other.Stream().ReadOutputAsync()));
        Assert.Single(other.Log, each => each.Kind == LogEventKind.Failure);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\r\nb: c")]
    [InlineData("ä")]
    public void IdsOfEventsAreChecked(string after)
    {
        var service = new Service();
        Assert.Throws<ArgumentException>("after", () => service.Stream().ReadOutputAsync(after));
    }

    [Theory]
    [InlineData("")]
    [InlineData("../secrets")]
    public void IdsOfStreamsAreCheckedAtOnce(string id)
    {
        var failure = Assert.Throws<ArgumentException>(() => Node.StreamOf(new Service().Connection, id));
        Assert.Equal("id", failure.ParamName);
    }

    [Fact]
    public async Task UploadsFailAsTheirSourceDoes()
    {
        var gone = new InvalidTimeZoneException("the disk is gone");
        var service = new Service(_ => Json("{}"));
        Assert.Same(gone, await Assert.ThrowsAsync<InvalidTimeZoneException>(() => service.Stream().UploadAsync(Failing())));
        await Assert.ThrowsAsync<ArgumentNullException>(() => service.Stream().UploadAsync((IEnumerable<string>)null!));

        IEnumerable<string> Failing()
        {
            yield return "a";
            throw gone;
        }
    }

    [Theory]
    [InlineData("""{"input_frames":2,"execution_id":"e-2"}""", "2 of 1 input messages (execution e-2)")]
    [InlineData("{}", "an unknown number of 1 input messages")]
    public async Task UploadsArriveAsAWhole(string response, string reason)
    {
        var service = new Service(_ => Json(response));
        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => service.Stream().UploadAsync(["a"]));
        Assert.Equal($"the service received {reason}", failure.Message);
        Assert.Same(failure, Assert.Single(service.Log, each => each.Kind == LogEventKind.Failure).Exception);
    }

    [Fact]
    public async Task UploadsAreSentOnce()
    {
        var service = new Service(_ => Json("{}", HttpStatusCode.ServiceUnavailable));
        await Assert.ThrowsAsync<UpstreamUnavailableException>(() => service.Stream().UploadAsync(["a"]));
        Assert.Single(service.Places);
    }

    [Fact]
    public async Task HandlesCanBeMocked()
    {
        SplitStreamHandle<string, string> stream = new Mock();
        Assert.Equal((null, 3), ((await stream.UploadAsync(["a"])).ExecutionId, (await stream.UploadAsync(["a"])).InputFrames));
        var words = stream.ReadOutputAsync();
        Assert.Null(words.LastEventId);
        Assert.Equal(["a", "b"], await ReadAsync(words));
        Assert.Equal("1", words.LastEventId);
    }

    private static string Word(int place, string text) =>
        $"id: {place}\ndata: {{\"execution_id\":\"e-1\",\"payload\":\"{text}\"}}\n\n";

    private static HttpResponseMessage Json(string body, HttpStatusCode status = HttpStatusCode.OK) =>
        new(status) { Content = new StringContent(body) };

    private static HttpResponseMessage Events(string events) =>
        new() { Content = new StringContent(events, Encoding.UTF8, "text/event-stream") };

    private static async Task<List<string>> ReadAsync(StreamedOutput<string> outputs, List<string>? words = null)
    {
        words ??= [];
        await foreach (var word in outputs)
        {
            words.Add(word);
        }

        return words;
    }

    private sealed class Mock : SplitStreamHandle<string, string>
    {
        public override Task<SplitUpload> UploadAsync(
            IEnumerable<string> inputs, CallOptions? options = null, CancellationToken cancellationToken = default) =>
            Task.FromResult(ModelFactory.SplitUpload(null, 3));

        public override StreamedOutput<string> ReadOutputAsync(
            string? after = null, CallOptions? options = null, CancellationToken cancellationToken = default) =>
            ModelFactory.StreamedOutput(["a", "b"]);
    }

    /// <summary>Answers requests in turn, and keeps where they begin and what they contain.</summary>
    private sealed class Service : HttpMessageHandler
    {
        private readonly Queue<Func<HttpRequestMessage, HttpResponseMessage>> _responses;

        internal Service(params Func<HttpRequestMessage, HttpResponseMessage>[] responses)
        {
            _responses = new(responses);
            Connection = new Connection(
                new ClientOptions
                {
                    ApiKey = "a-key-of-the-tests",
                    BaseUrl = "http://127.0.0.1:9",
                    HttpClient = new HttpClient(this),
                    Logger = Log.Add,
                    RetryDelay = TimeSpan.Zero,
                },
                "tests");
        }

        internal Connection Connection { get; }

        internal List<LogEvent> Log { get; } = [];

        internal List<string?> Places { get; } = [];

        internal List<string> Bodies { get; } = [];

        internal SplitStreamHandle<string, string> Stream() => Node.StreamOf(Connection, Id);

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken)
        {
            Places.Add(request.Headers.TryGetValues("Last-Event-ID", out var ids) ? ids.Single() : null);
            Bodies.Add(request.Content is { } content ? await content.ReadAsStringAsync(cancellationToken) : "");
            return _responses.Dequeue()(request);
        }
    }
}
