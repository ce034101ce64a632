using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Tests of the client.</summary>
public class ClientTests
{
    /// <summary>Missing and malformed options are rejected with a helpful message.</summary>
    /// <param name="key">The key.</param>
    /// <param name="address">The base URL.</param>
    /// <param name="expected">Expected part of the message.</param>
    [Theory]
    [InlineData("", "http://127.0.0.1:9", "SVC_API_KEY")]
    [InlineData("two words", "http://127.0.0.1:9", "visible ASCII")]
    [InlineData("key", "", "SVC_BASE_URL")]
    [InlineData("key", "ftp://127.0.0.1", "https://")]
    [InlineData("key", "http://127.0.0.1:9?a=b", "query")]
    public void ClientRequiresKeyAndBaseUrl(string key, string address, string expected)
    {
        var options = new ClientOptions { ApiKey = key, BaseUrl = address };
        var failure = Assert.Throws<ConfigurationException>(() => new SvcClient(options));
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    /// <summary>A printed client shows its base URL but not its API key.</summary>
    [Fact]
    public void ClientHidesKey()
    {
        using var client = new SvcClient(new ClientOptions { ApiKey = ScriptedServer.Key, BaseUrl = "http://127.0.0.1:9/" });
        Assert.DoesNotContain(ScriptedServer.Key, client.ToString(), StringComparison.Ordinal);
        Assert.Contains("http://127.0.0.1:9", client.ToString(), StringComparison.Ordinal);
    }

    /// <summary>An invalid timeout is rejected before a request is sent.</summary>
    [Fact]
    public void TimeoutMustBePositive()
    {
        var options = new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9", Timeout = TimeSpan.Zero };
        Assert.Throws<ConfigurationException>(() => new SvcClient(options));
    }
}
