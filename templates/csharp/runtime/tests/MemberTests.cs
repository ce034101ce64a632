using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Calls each member with successes and failures.</summary>
public class MemberTests
{
    private const string Refusal = """{"error":"tenant_suspended","message":"the tenant is suspended"}""";

    /// <summary>Inputs and outputs survive a round trip.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Places), MemberType = typeof(Members))]
    public async Task MemberReturnsOutput(int place)
    {
        var member = Members.All[place];
        using var server = new ScriptedServer(member.ResponseOf(member.Output));
        using var client = server.Connect();

        AssertJson(member.Output, await member.CallAsync(client, member.Input));

        var arrival = Assert.Single(server.Arrivals);
        Assert.Equal(("POST", member.Path), (arrival.Method, arrival.Path));
        Assert.Equal($"Bearer {ScriptedServer.Key}", arrival.Headers["Authorization"]);
        var body = JsonNode.Parse(arrival.Body)!;
        if (member.Graph is null)
        {
            AssertJson(member.Input, arrival.Body);
        }
        else
        {
            Assert.Equal(member.Graph, body["graph_id"]!.GetValue<string>());
            AssertJson(member.Input, body["input"]?.ToJsonString() ?? "null");
        }
    }

    /// <summary>An error status maps to its exception.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Places), MemberType = typeof(Members))]
    public async Task MemberMapsErrorStatusToException(int place)
    {
        var member = Members.All[place];
        using var server = new ScriptedServer(new Response(Refusal, 403));
        using var client = server.Connect();

        var failure = await Assert.ThrowsAsync<TenantSuspendedException>(() => member.CallAsync(client, member.Input));

        Assert.Equal((403, "tenant_suspended", Refusal), (failure.Status, failure.ErrorCode, failure.Body));
        Assert.Contains("the tenant is suspended", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>Transient failures are retried with the same idempotency key.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Places), MemberType = typeof(Members))]
    public async Task MemberRetriesTransientFailures(int place)
    {
        var member = Members.All[place];
        using var server = new ScriptedServer(
            new Response("""{"error":"unavailable"}""", 503, "Retry-After: 0"),
            Response.Reset,
            member.ResponseOf(member.Output));
        using var client = server.Connect();

        AssertJson(member.Output, await member.CallAsync(client, member.Input));

        Assert.Equal(3, server.Arrivals.Count);
        Assert.Single(server.Arrivals.Select(arrival => arrival.Headers["Idempotency-Key"]).Distinct());
    }

    /// <summary>Truncated and invalid responses throw exceptions.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Places), MemberType = typeof(Members))]
    public async Task MemberRejectsInvalidResponses(int place)
    {
        var member = Members.All[place];
        var cut = new Response("""{"half":"an response"}""") { IsCut = true };
        using var server = new ScriptedServer(cut, cut, cut, new Response("no JSON"));
        using var client = server.Connect();

        await Assert.ThrowsAsync<InterruptedResponseException>(() => member.CallAsync(client, member.Input));
        var failure = await Assert.ThrowsAsync<InvalidResponseException>(() => member.CallAsync(client, member.Input));

        Assert.Equal((200, "no JSON"), (failure.Status, failure.Body));
    }

    private static void AssertJson(string expected, string actual) => Assert.True(
        JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(actual)),
        $"expected {expected}, got {actual}");
}
