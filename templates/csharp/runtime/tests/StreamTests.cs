using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Reads the output of each pipeline member.</summary>
public class StreamTests
{
    /// <summary>A stream without a last frame throws an exception and is not retried.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.Streams), MemberType = typeof(Members))]
    public async Task StreamWithoutLastFrameThrows(int place)
    {
        var member = Members.All[place];
        var frame = $"data: {{\"payload\":{member.Output}}}\n\n";
        using var server = new ScriptedServer(new Response(frame, 200, "Content-Type: text/event-stream"));
        using var client = server.Connect();

        await Assert.ThrowsAsync<StreamInterruptedException>(() => member.CallAsync(client, member.Input));

        Assert.Single(server.Arrivals);
    }
}
