using System.Buffers;

namespace Svc.Runtime;

/// <summary>Options of a client, checked and completed.</summary>
internal sealed class Settings
{
    /// <summary>What the name of a header cannot hold.</summary>
    private static readonly SearchValues<char> NoTokens = SearchValues.Create("\"(),/:;<=>?@[\\]{}");

    /// <summary>Headers that say how a request travels.</summary>
    private static readonly string[] OfTransport =
        ["Connection", "Content-Length", "Expect", "Host", "Transfer-Encoding", "Upgrade"];

    internal Settings(ClientOptions options)
    {
        ApiKey = new ApiKey(CheckKey(options.ApiKey ?? FromEnvironment("SVC_API_KEY")));
        BaseUrl = CheckAddress(options.BaseUrl ?? FromEnvironment("SVC_BASE_URL"));
        Timeout = CheckTimeout(options.Timeout);
        MaxRetries = CheckRetries(options.MaxRetries);
        RetryDelay = CheckDelay(options.RetryDelay);
        MaxRetryDelay = CheckDelay(options.MaxRetryDelay);
        Headers = CheckHeaders(options.Headers);
        Logger = options.Logger;
    }

    internal ApiKey ApiKey { get; }

    /// <summary>Without a slash at its end.</summary>
    internal string BaseUrl { get; }

    internal TimeSpan Timeout { get; }

    internal int MaxRetries { get; }

    internal TimeSpan RetryDelay { get; }

    internal TimeSpan MaxRetryDelay { get; }

    internal IReadOnlyDictionary<string, string> Headers { get; }

    internal Action<LogEvent>? Logger { get; }

    internal static TimeSpan CheckTimeout(TimeSpan timeout) =>
        timeout > TimeSpan.Zero || timeout == System.Threading.Timeout.InfiniteTimeSpan
            ? timeout
            : throw new ConfigurationException("a timeout is more than 0; Timeout.InfiniteTimeSpan is none");

    internal static int CheckRetries(int retries) => retries >= 0
        ? retries
        : throw new ConfigurationException("the number of retries is 0 or more");

    internal static IReadOnlyDictionary<string, string> CheckHeaders(IReadOnlyDictionary<string, string>? headers)
    {
        foreach (var (name, value) in headers ?? NoHeaders)
        {
            if (name.Length == 0 || !IsVisible(name) || name.AsSpan().IndexOfAny(NoTokens) >= 0
                || value is null || !IsVisible(value.Replace(" ", "", StringComparison.Ordinal)))
            {
                throw new ConfigurationException("a header is visible ASCII, name and value");
            }

            if (OfTransport.Contains(name, StringComparer.OrdinalIgnoreCase))
            {
                throw new ConfigurationException($"the header {name} is the transport's own: leave it out");
            }
        }

        return headers ?? NoHeaders;
    }

    internal static string CheckIdempotencyKey(string key) => key.Length > 0 && IsVisible(key)
        ? key
        : throw new ConfigurationException("an idempotency key is made of visible ASCII characters");

    private static Dictionary<string, string> NoHeaders { get; } = [];

    private static string CheckKey(string? key)
    {
        if (string.IsNullOrEmpty(key))
        {
            throw new ConfigurationException("no API key: set SVC_API_KEY or pass ClientOptions.ApiKey");
        }

        return IsVisible(key)
            ? key
            : throw new ConfigurationException(
                "the API key holds characters that a header cannot carry; is there a space or line break around it?");
    }

    private static string CheckAddress(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            throw new ConfigurationException("no address of the service: set SVC_BASE_URL or pass ClientOptions.BaseUrl");
        }

        if (!Uri.TryCreate(text, UriKind.Absolute, out var address)
            || (address.Scheme != Uri.UriSchemeHttp && address.Scheme != Uri.UriSchemeHttps)
            || address.Host.Length == 0)
        {
            throw new ConfigurationException("the address of the service is a URL such as https://svc.example.com");
        }

        return address.UserInfo.Length > 0 || text.AsSpan().IndexOfAny('?', '#') >= 0
            ? throw new ConfigurationException("the address of the service has no user, query or fragment")
            : address.AbsoluteUri.TrimEnd('/');
    }

    private static TimeSpan CheckDelay(TimeSpan delay) => delay >= TimeSpan.Zero
        ? delay
        : throw new ConfigurationException("the delay of a retry is 0 or more");

    private static string? FromEnvironment(string name) => Environment.GetEnvironmentVariable(name);

    private static bool IsVisible(string text) => text.AsSpan().IndexOfAnyExceptInRange('!', '~') < 0;
}
