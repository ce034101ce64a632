using Xunit;

namespace Svc.Runtime.Tests;

public class RetryTests
{
    private const string Id = "0123456789abcdef0123456789abcdef";

    [Fact]
    public void BudgetGetsTheRetryBackByWhichACallSucceeds()
    {
        var budget = new RetryBudget(1);
        Assert.True(budget.Take());
        budget.Succeed(byRetry: true);
        budget.Succeed(byRetry: true);
        Assert.Equal(1, Enumerable.Range(0, 3).Count(_ => budget.Take()));
    }

    [Fact]
    public void BudgetHasTenRetriesAndGrowsByTenths()
    {
        var budget = new RetryBudget(10);
        Assert.Equal(10, Enumerable.Range(0, 12).Count(_ => budget.Take()));
        for (var call = 0; call < 9; call++)
        {
            budget.Succeed(byRetry: false);
        }

        Assert.False(budget.Take());
        budget.Succeed(byRetry: false);
        Assert.True(budget.Take());
    }

    [Theory]
    [InlineData("0", 0.0)]
    [InlineData(" 2 ", 2.0)]
    [InlineData("1.5", 1.5)]
    [InlineData("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)]
    [InlineData("-1", null)]
    [InlineData("soon", null)]
    [InlineData("1e3", null)]
    [InlineData("Infinity", null)]
    [InlineData("12:00", null)]
    [InlineData("99999999999999999999999", 1e9)]
    [InlineData("", null)]
    public void RetryAfterIsSecondsOrADate(string header, double? seconds) =>
        Assert.Equal(seconds, RetryPolicy.ParseRetryAfter(header)?.TotalSeconds);

    [Fact]
    public void DelaysAreBoundedAfterAnyNumberOfRetries()
    {
        var failure = ModelFactory.StatusException(503);
        foreach (var (delay, retry) in new[] { (0, 2000), (1, 2000), (1, int.MaxValue) })
        {
            var options = new ClientOptions
            {
                ApiKey = "key",
                BaseUrl = "http://127.0.0.1:9",
                RetryDelay = TimeSpan.FromMilliseconds(delay),
                MaxRetryDelay = TimeSpan.FromSeconds(1),
            };
            var time = RetryPolicy.DelayBefore(retry, failure, new Settings(options), TimeSpan.MaxValue);
            Assert.InRange(time!.Value, TimeSpan.Zero, TimeSpan.FromSeconds(delay));
        }
    }

    [Fact]
    public async Task RetriesBeginBeforeTheServiceForgetsTheKey()
    {
        Assert.Equal((408, 1), await TriesAsync(408, 503));
        Assert.Equal((503, 2), await TriesAsync(429, 503, 503));
        Assert.Equal((404, 3), await TriesAsync(429, 429, 404));
        Assert.Equal((503, 1), await AttemptsAsync(connection => new Execution<int>(connection, Id, ProtoJson.Int32Value).ForkAsync(), 503));

        static Task<(int?, int)> TriesAsync(params int[] statuses) => AttemptsAsync(
            connection => connection.CallAsync("Test", null, call => call.PostAsync("/a", isRun: true), null, default),
            statuses);
    }

    [Fact]
    public async Task RetriesWithoutAKeyBeginAtAnyTime()
    {
        Assert.Equal((503, 3), await AttemptsAsync(ReadAsync, 408, 503, 503));
        Assert.Equal((503, 3), await AttemptsAsync(CallAsync, 408, 503, 503));
        Assert.Equal((503, 3), await AttemptsAsync(StreamAsync, 408, 503, 503));

        static Task ReadAsync(Connection connection) => new Execution<int>(connection, Id, ProtoJson.Int32Value).GetAsync();

        static Task CallAsync(Connection connection) => Node().CallAsync(connection, "a", null, default);

        static Task StreamAsync(Connection connection) => Node().Stream(connection, "a", null, default).GetResponseAsync();

        static NodeCall<string, string> Node() => new("Words", "/words", ProtoJson.StringValue, ProtoJson.StringValue);
    }

    [Fact]
    public async Task LoggerExceptionsAreIgnored()
    {
        using var responses = new AlwaysNotFound();
        using var http = new HttpClient(responses);
        var events = 0;
        var options = new ClientOptions
        {
            ApiKey = "key",
            BaseUrl = "http://127.0.0.1:9",
            HttpClient = http,
            Logger = _ => throw new InvalidOperationException($"event {++events}"),
        };
        using var connection = new Connection(options, "test/1");
        await Assert.ThrowsAsync<NotFoundException>(() => connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, default));
        Assert.Equal(3, events);
    }

    [Fact]
    public async Task ContentHeadersAreSent()
    {
        using var responses = new AlwaysNotFound();
        using var http = new HttpClient(responses);
        var headers = new Dictionary<string, string> { ["Content-Language"] = "de" };
        var options = new ClientOptions
        {
            ApiKey = "key",
            BaseUrl = "http://127.0.0.1:9",
            HttpClient = http,
            Headers = headers,
        };
        using var connection = new Connection(options, "test/1");
        await Assert.ThrowsAsync<NotFoundException>(() => connection.CallAsync("Test", null, call => call.GetAsync("/a"), null, default));
        await Assert.ThrowsAsync<NotFoundException>(
            () => connection.CallAsync("Test", null, call => call.PostAsync("/a", () => "{}"u8.ToArray()), null, default));
        Assert.Equal(["", "de application/json"], responses.Contents);
    }

    [Fact]
    public void KeyIsRedacted()
    {
        var key = new ApiKey("secret-key-of-tests");
        Assert.Equal("[redacted]", key.ToString());
        Assert.Equal("a [redacted] b", key.Redact("a secret-key-of-tests b"));
        var error = key.Redact(new InvalidOperationException("x", new InvalidOperationException("secret-key-of-tests")));
        Assert.DoesNotContain("secret-key-of-tests", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void ShortKeysAreParts()
    {
        var failure = ModelFactory.StatusException(404, "not_found", "no such elephant");
        Assert.Equal(failure.Message, new ApiKey("e").Redact(failure.Message));
        var error = new InvalidOperationException("elephant");
        Assert.Same(error, new ApiKey("e").Redact(error));
    }

    /// <summary>
    /// Returns the status of the failure and the number of requests, where no retry of a request with a key may begin after a failed
    /// attempt.
    /// </summary>
    private static async Task<(int? Status, int Attempts)> AttemptsAsync(Func<Connection, Task> call, params int[] statuses)
    {
        using var responses = new Statuses(statuses);
        using var http = new HttpClient(responses);
        var options = new ClientOptions
        {
            ApiKey = "key",
            BaseUrl = "http://127.0.0.1:9",
            HttpClient = http,
            RetryDelay = TimeSpan.Zero,
            Timeout = Timeout.InfiniteTimeSpan,
        };
        using var usual = new Connection(options, "test/1");
        Assert.Equal(TimeSpan.FromMinutes(4), usual.RetryTime);
        using var connection = new Connection(options, "test/1") { RetryTime = TimeSpan.Zero };
        var failure = await Assert.ThrowsAnyAsync<StatusException>(() => call(connection));
        return (failure.Status, failure.Attempts);
    }

    /// <summary>Responds with 404 and records the content headers of requests.</summary>
    private sealed class AlwaysNotFound : HttpMessageHandler
    {
        internal List<string> Contents { get; } = [];

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken)
        {
            var headers = request.Content?.Headers;
            Contents.Add(headers is null ? "" : $"{string.Join(',', headers.ContentLanguage)} {headers.ContentType}");
            return Task.FromResult(new HttpResponseMessage(System.Net.HttpStatusCode.NotFound));
        }
    }

    /// <summary>Responds with one status after the other.</summary>
    private sealed class Statuses(params int[] statuses) : HttpMessageHandler
    {
        private readonly Queue<int> _statuses = new(statuses);

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken) => Task.FromResult(new HttpResponseMessage((System.Net.HttpStatusCode)_statuses.Dequeue()));
    }
}
