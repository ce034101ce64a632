using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Creates, fills and reads a split stream of each pipeline node.</summary>
public class SplitTests
{
    private const string Id = "01J00000000000000000000000";
    private const string Streams = "/invocations/v1/nodes/streams";
    private const string Last = "id: 1\ndata: {\"is_final\":true,\"success\":true}\n\n";

    /// <summary>A stream is created with the reference of its node, even on a retry.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task NodeCreatesStream(int place)
    {
        var member = Members.All[place];
        var split = member.Split!;
        using var server = new ScriptedServer(new Response("{}", 503), new Response($"{{\"stream_id\":\"{Id}\"}}", 201));
        using var client = server.Connect();

        Assert.Equal(Id, await split.CreateAsync(client));

        Assert.Equal(2, server.Arrivals.Count);
        var arrival = server.Arrivals[1];
        Assert.Equal(("POST", Streams), (arrival.Method, arrival.Path));
        var reference = JsonNode.Parse(arrival.Body)!["node_ref"]!.GetValue<string>();
        Assert.Equal(Uri.UnescapeDataString(member.Path), $"/invocations/v1/nodes/{reference}");
    }

    /// <summary>An upload has one line per message, is not retried, and throws if it did not arrive in full.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task UploadArrivesInFull(int place)
    {
        var member = Members.All[place];
        var split = member.Split!;
        var response = new Response($"{{\"execution_id\":\"{ScriptedServer.ExecutionId}\",\"input_frames\":2}}");
        using var server = new ScriptedServer(response, response, new Response("{}", 409));
        using var client = server.Connect();

        var upload = await split.UploadAsync(client, Id, [member.Input, member.Input]);
        Assert.Equal((ScriptedServer.ExecutionId, 2), (upload.ExecutionId, upload.InputFrames));
        await Assert.ThrowsAsync<StreamInterruptedException>(() => split.UploadAsync(client, Id, [member.Input]));
        var failure = await Assert.ThrowsAsync<StatusException>(() => split.UploadAsync(client, Id, [member.Input]));
        Assert.Equal(409, failure.Status);

        var arrival = server.Arrivals[0];
        Assert.Equal(("POST", $"{Streams}/{Id}/input"), (arrival.Method, arrival.Path));
        Assert.Equal("application/x-ndjson", arrival.Headers["Content-Type"]);
        Assert.Equal(3, arrival.Body.Split('\n').Length);
    }

    /// <summary>After a lost connection, the output resumes after its last event.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task OutputResumesAfterLastEvent(int place)
    {
        var member = Members.All[place];
        var split = member.Split!;
        using var server = new ScriptedServer(
            EventsOf($"id: 0\ndata: {{\"payload\":{member.Output}}}\n\n"),
            new Response("{}", 503),
            EventsOf(Last));
        using var client = server.Connect();

        var output = JsonNode.Parse(await split.ReadAsync(client, Id));
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(member.Output), output));

        Assert.Equal(3, server.Arrivals.Count);
        Assert.All(server.Arrivals, arrival => Assert.Equal(("GET", $"{Streams}/{Id}/output"), (arrival.Method, arrival.Path)));
        Assert.False(server.Arrivals[0].Headers.ContainsKey("Last-Event-ID"));
        Assert.All(server.Arrivals[1..], arrival => Assert.Equal("0", arrival.Headers["Last-Event-ID"]));
    }

    /// <summary>Malformed ids are rejected before a request is sent.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task MalformedIdsAreRejected(int place)
    {
        var member = Members.All[place];
        var split = member.Split!;
        using var server = new ScriptedServer(new Response("{\"stream_id\":\"../secrets\"}", 201));
        using var client = server.Connect();

        await Assert.ThrowsAsync<ArgumentException>(() => split.ReadAsync(client, "../secrets"));
        await Assert.ThrowsAsync<ArgumentException>(() => split.UploadAsync(client, "", [member.Input]));
        Assert.Empty(server.Arrivals);
        await Assert.ThrowsAsync<InvalidResponseException>(() => split.CreateAsync(client));
    }

    private static Response EventsOf(string events) => new(events, 200, "Content-Type: text/event-stream");
}
