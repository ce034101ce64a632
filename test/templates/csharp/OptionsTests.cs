using System.Net;
using Xunit;

namespace Svc.Runtime.Tests;

public class OptionsTests
{
    [Fact]
    public void HandlersOfOwnClientsHaveTheSettingsOfTheSdk()
    {
        using var handler = ClientOptions.CreateHttpHandler();
        Assert.Equal((false, TimeSpan.FromMinutes(5)), (handler.AllowAutoRedirect, handler.PooledConnectionLifetime));
        using var other = ClientOptions.CreateHttpHandler();
        Assert.NotSame(handler, other);
    }

    private const string Id = "0123456789abcdef0123456789abcdef";

    [Fact]
    public async Task ClientsKeepTheOptionsThatTheyWereCreatedWith()
    {
        using var service = new Service();
        var headers = new Dictionary<string, string> { ["X-Shop"] = "one" };
        var options = service.Options();
        options.Headers = headers;
        using var connection = new Connection(options, "test/1");
        headers["X-Shop"] = "two";
        headers["Authorization"] = "Bearer other";
        options.ApiKey = "other";
        options.BaseUrl = "http://other.example";
        await connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, default);
        var request = Assert.Single(service.Requests);
        Assert.Equal("http://service.example/a", request.RequestUri!.ToString());
        Assert.Equal(["one"], request.Headers.GetValues("X-Shop"));
        Assert.Equal(["Bearer a-key-of-the-tests"], request.Headers.GetValues("Authorization"));
    }

    [Fact]
    public async Task CallsKeepTheOptionsThatTheyWereMadeWith()
    {
        using var service = new Service();
        using var connection = new Connection(service.Options(), "test/1");
        var headers = new Dictionary<string, string> { ["X-Shop"] = "one" };
        var options = new CallOptions { Headers = headers };
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var node = new NodeCall<int, int>("Sum", "/sum", ProtoJson.Int32Value, ProtoJson.Int32Value);
        var events = run.ListEventsAsync(null, options);
        var followed = run.FollowAsync(options);
        var pauses = PauseCalls.ListAsync(connection, null, options, default);
        var outputs = node.Stream(connection, 1, options, default);
        headers["X-Shop"] = "two";
        options.MaxRetries = -1;
        await FailAsync(events);
        await FailAsync(followed);
        await FailAsync(pauses);
        await FailAsync(outputs);
        Assert.Equal(["one", "one", "one", "one"], service.Requests.SelectMany(request => request.Headers.GetValues("X-Shop")));

        static async Task FailAsync<T>(IAsyncEnumerable<T> sequence)
        {
            await using var reader = sequence.GetAsyncEnumerator();
            await Assert.ThrowsAsync<InvalidResponseException>(() => reader.MoveNextAsync().AsTask());
        }
    }

    [Fact]
    public async Task NamesOfHeadersIgnoreCase()
    {
        using var service = new Service();
        var options = service.Options();
        options.Headers = new Dictionary<string, string> { ["X-Shop"] = "of the client", ["X-Till"] = "3" };
        using var connection = new Connection(options, "test/1");
        var call = new CallOptions { Headers = new Dictionary<string, string> { ["x-shop"] = "of the call" } };
        await connection.CallAsync("Test", call, each => each.GetAsync("/a"), null, default);
        var request = Assert.Single(service.Requests);
        Assert.Equal(["of the call"], request.Headers.GetValues("X-Shop"));
        Assert.Equal(["3"], request.Headers.GetValues("X-Till"));
        options.Headers = new Dictionary<string, string> { ["X-Shop"] = "one", ["x-shop"] = "two" };
        var failure = Assert.Throws<ConfigurationException>(() => new Connection(options, "test/1"));
        Assert.Equal("the header x-shop is given twice: names of headers ignore case", failure.Message);
    }

    [Theory]
    [InlineData("accept", "set by the SDK and cannot be changed")]
    [InlineData("authorization", "use ClientOptions.ApiKey")]
    [InlineData("content-type", "set by the SDK and cannot be changed")]
    [InlineData("idempotency-key", "use CallOptions.IdempotencyKey")]
    [InlineData("last-event-id", "use the parameter after of ReadOutputAsync")]
    [InlineData("x-svc-client", "set by the SDK and cannot be changed")]
    [InlineData("Accept-Encoding", "set by the transport and cannot be changed")]
    [InlineData("host", "set by the transport and cannot be changed")]
    [InlineData("sec-websocket-key", "set by the transport and cannot be changed")]
    public async Task HeadersOfTheSdkAreRefused(string name, string reason)
    {
        using var service = new Service();
        var headers = new Dictionary<string, string> { [name] = "mine" };
        var options = service.Options();
        using var connection = new Connection(options, "test/1");
        options.Headers = headers;
        var ofClient = Assert.Throws<ConfigurationException>(() => new Connection(options, "test/1"));
        var ofCall = await Assert.ThrowsAsync<ConfigurationException>(() => connection.CallAsync(
            "Test", new CallOptions { Headers = headers }, call => call.GetAsync("/a"), null, default));
        Assert.Equal(ofClient.Message, ofCall.Message);
        Assert.StartsWith($"the header {name} is ", ofCall.Message, StringComparison.Ordinal);
        Assert.EndsWith(reason, ofCall.Message, StringComparison.Ordinal);
        Assert.Empty(service.Requests);
    }

    [Fact]
    public void OptionsAreCheckedBeforeRequestsAreSentLater()
    {
        using var service = new Service();
        using var connection = new Connection(service.Options(), "test/1");
        var run = new Execution<int>(connection, Id, ProtoJson.Int32Value);
        var node = new NodeCall<int, int>("Sum", "/sum", ProtoJson.Int32Value, ProtoJson.Int32Value);
        foreach (var options in new CallOptions[]
        {
            new() { Timeout = TimeSpan.Zero },
            new() { AttemptTimeout = TimeSpan.Zero },
            new() { MaxRetries = -1 },
            new() { IdempotencyKey = "two words" },
            new() { Headers = new Dictionary<string, string> { ["Host"] = "other" } },
        })
        {
            Assert.Throws<ConfigurationException>(() => node.Stream(connection, 1, options, default));
            Assert.Throws<ConfigurationException>(() => run.ListEventsAsync(null, options));
            Assert.Throws<ConfigurationException>(() => run.FollowAsync(options));
            Assert.Throws<ConfigurationException>(() => PauseCalls.ListAsync(connection, null, options, default));
        }
    }

    [Fact]
    public void DelaysThatNoTimerSupportsAreRefused()
    {
        using var service = new Service();
        var options = service.Options();
        options.MaxRetryDelay = TimeSpan.MaxValue;
        var failure = Assert.Throws<ConfigurationException>(() => new Connection(options, "test/1"));
        Assert.Equal("the retry delay must not be negative or longer than a day", failure.Message);
    }

    /// <summary>Responses each request with an empty object, and keeps it.</summary>
    private sealed class Service : HttpMessageHandler
    {
        internal List<HttpRequestMessage> Requests { get; } = [];

        internal ClientOptions Options() => new()
        {
            ApiKey = "a-key-of-the-tests",
            BaseUrl = "http://service.example",
            HttpClient = new HttpClient(this),
        };

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken)
        {
            Requests.Add(request);
            return Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent("{}") });
        }
    }
}
