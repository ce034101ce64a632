using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Follows a run of each flow.</summary>
public class FollowTests
{
    private const string Started = """{"type":"NODE_STARTED","event_ulid":"01A"}""";
    private const string Logged = """{"type":"NODE_LOG","event_ulid":"01B"}""";
    private const string Completed = """{"type":"NODE_COMPLETED","event_ulid":"01C"}""";
    private const string Ended = """{"type":"FLOW_COMPLETED","event_ulid":"01D"}""";

    /// <summary>Every event is returned once, even if the connection is lost.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Flows), MemberType = typeof(Members))]
    public async Task FollowReturnsEachEventOnce(int place)
    {
        var follow = Members.All[place].Follow!;
        using var server = new ScriptedServer(
            PageOf(Started),
            Response.Socket(Started, Logged),
            PageOf(Started, Logged, Completed),
            Response.Socket(Completed, Ended));
        using var client = server.Connect();

        Assert.Equal(["01A", "01B", "01C", "01D"], await UlidsAsync(follow(client)));

        Assert.Equal(4, server.Arrivals.Count);
        var socket = server.Arrivals[3];
        Assert.Equal($"/invocations/v1/debug-stream?session_id={ScriptedServer.ExecutionId}&decode=true", socket.Path);
        Assert.Equal(("websocket", $"Bearer {ScriptedServer.Key}"), (socket.Headers["Upgrade"], socket.Headers["Authorization"]));
    }

    /// <summary>Connections without new events are re-established at most eight times in a row.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Flows), MemberType = typeof(Members))]
    public async Task FollowGivesUpAfterEightReconnects(int place)
    {
        var follow = Members.All[place].Follow!;
        using var server = new ScriptedServer(NineTimes(PageOf(Started), Response.Socket(Started)));
        using var client = server.Connect();

        var failure = await Assert.ThrowsAsync<StreamInterruptedException>(() => UlidsAsync(follow(client)));

        Assert.Equal((ScriptedServer.ExecutionId, 9), (failure.ExecutionId, failure.Attempts));
        Assert.Equal(18, server.Arrivals.Count);
    }

    /// <summary>After three consecutive blocked sockets, the history is polled instead.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Flows), MemberType = typeof(Members))]
    public async Task FollowPollsPagesWhenSocketsAreBlocked(int place)
    {
        var follow = Members.All[place].Follow!;
        using var server = new ScriptedServer(
            PageOf(Started),
            new Response("{}", 426),
            PageOf(Started),
            new Response("{}", 502),
            PageOf(Started),
            new Response("{}", 426),
            PageOf(Started, Logged, Completed, Ended));
        using var client = server.Connect();

        Assert.Equal(["01A", "01B", "01C", "01D"], await UlidsAsync(follow(client)));

        Assert.Equal(7, server.Arrivals.Count);
        Assert.DoesNotContain("debug-stream", server.Arrivals[6].Path, StringComparison.Ordinal);
    }

    /// <summary>An error status of the handshake maps to its exception.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Flows), MemberType = typeof(Members))]
    public async Task FollowMapsErrors(int place)
    {
        var follow = Members.All[place].Follow!;
        using var server = new ScriptedServer(PageOf(), new Response("""{"error":"tenant_suspended"}""", 403));
        using var client = server.Connect();

        var failure = await Assert.ThrowsAsync<TenantSuspendedException>(() => UlidsAsync(follow(client)));

        Assert.Equal((403, ScriptedServer.ExecutionId), (failure.Status, failure.ExecutionId));
    }

    private static Response[] NineTimes(params Response[] responses) =>
        [.. Enumerable.Repeat(responses, 9).SelectMany(each => each)];

    private static Response PageOf(params string[] events) => new($"{{\"events\":[{string.Join(',', events)}]}}");

    private static async Task<List<string>> UlidsAsync(IAsyncEnumerable<ExecutionEvent> events)
    {
        var ulids = new List<string>();
        await foreach (var executionEvent in events)
        {
            ulids.Add(executionEvent.Ulid);
        }

        return ulids;
    }
}
