using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Opens a live session with each pipeline node.</summary>
public class LiveTests
{
    private const string Last = """{"is_final":true,"success":true}""";

    /// <summary>Messages are sent and received, even if the first attempt to open the session fails.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task SessionSendsAndReceivesMessages(int place)
    {
        var member = Members.All[place];
        var converse = member.ConverseAsync!;
        using var server = new ScriptedServer(
            new Response("{}", 503),
            Response.Session($"{{\"payload\":{member.Output},\"is_final\":false}}", Last));
        using var client = server.Connect();

        AssertJson(member.Output, await converse(client, member.Input));

        AssertJson(member.Input, Assert.Single(server.Messages));
        Assert.Equal(2, server.Arrivals.Count);
        var arrival = server.Arrivals[1];
        Assert.Equal(("GET", $"{member.Path}/live"), (arrival.Method, arrival.Path));
        Assert.Equal(("websocket", $"Bearer {ScriptedServer.Key}"), (arrival.Headers["Upgrade"], arrival.Headers["Authorization"]));
    }

    /// <summary>A session ends with an exception that gives the reason, and is not reopened.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task SessionThrowsTheReasonOfItsEnd(int place)
    {
        var member = Members.All[place];
        var converse = member.ConverseAsync!;
        using var server = new ScriptedServer(
            Response.Session("""{"is_final":true,"error":"tired"}"""),
            Response.Session($"{{\"payload\":{member.Output},\"is_final\":false}}"),
            Response.Session("[]"));
        using var client = server.Connect();

        var failure = await Assert.ThrowsAsync<NodeFailedException>(() => converse(client, member.Input));
        Assert.Equal("tired", failure.Message);
        await Assert.ThrowsAsync<StreamInterruptedException>(() => converse(client, member.Input));
        await Assert.ThrowsAsync<InvalidResponseException>(() => converse(client, member.Input));
        Assert.Equal(3, server.Arrivals.Count);
    }

    /// <summary>A rejected session throws the exception of its status.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task RejectedSessionMapsToException(int place)
    {
        var member = Members.All[place];
        var converse = member.ConverseAsync!;
        using var server = new ScriptedServer(new Response("""{"error":"tenant_suspended","message":"suspended"}""", 403));
        using var client = server.Connect();

        var failure = await Assert.ThrowsAsync<TenantSuspendedException>(() => converse(client, member.Input));

        Assert.Equal((403, "tenant_suspended"), (failure.Status, failure.ErrorCode));
    }

    private static void AssertJson(string expected, string actual) => Assert.True(
        JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(actual)),
        $"expected {expected}, got {actual}");
}
