using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>What holds for every client, whatever its members are.</summary>
public class ClientTests
{
    /// <summary>A client is refused with words that say how to set it up.</summary>
    /// <param name="key">The key.</param>
    /// <param name="address">The address.</param>
    /// <param name="told">What the message has to name.</param>
    [Theory]
    [InlineData("", "http://127.0.0.1:9", "SVC_API_KEY")]
    [InlineData("two words", "http://127.0.0.1:9", "header")]
    [InlineData("key", "", "SVC_BASE_URL")]
    [InlineData("key", "ftp://127.0.0.1", "https://")]
    [InlineData("key", "http://127.0.0.1:9?a=b", "query")]
    public void AClientNeedsAKeyAndAnAddress(string key, string address, string told)
    {
        var options = new ClientOptions { ApiKey = key, BaseUrl = address };
        var failure = Assert.Throws<ConfigurationException>(() => new Client(options));
        Assert.Contains(told, failure.Message, StringComparison.Ordinal);
    }

    /// <summary>A printed client shows its address and no key.</summary>
    [Fact]
    public void AClientShowsNoKey()
    {
        using var client = new Client(new ClientOptions { ApiKey = ScriptedServer.Key, BaseUrl = "http://127.0.0.1:9/" });
        Assert.DoesNotContain(ScriptedServer.Key, client.ToString(), StringComparison.Ordinal);
        Assert.Contains("http://127.0.0.1:9", client.ToString(), StringComparison.Ordinal);
    }

    /// <summary>A time that cannot pass is refused before anything is sent.</summary>
    [Fact]
    public void ATimeoutIsMoreThanNothing()
    {
        var options = new ClientOptions { ApiKey = "key", BaseUrl = "http://127.0.0.1:9", Timeout = TimeSpan.Zero };
        Assert.Throws<ConfigurationException>(() => new Client(options));
    }
}
