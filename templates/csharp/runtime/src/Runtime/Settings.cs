using System.Buffers;
using System.Collections.ObjectModel;

namespace Svc.Runtime;

/// <summary>Validated options of a client, with defaults applied.</summary>
internal sealed class Settings
{
    /// <summary>The default timeout of a call.</summary>
    internal static readonly TimeSpan UsualTimeout = TimeSpan.FromSeconds(60);

    /// <summary>The default timeout of a stream, equal to the time limit of a node.</summary>
    internal static readonly TimeSpan UsualStreamTimeout = TimeSpan.FromMinutes(5);

    /// <summary>The maximum delay before a retry, which is the limit of timers.</summary>
    private static readonly TimeSpan LongestDelay = TimeSpan.FromDays(1);

    /// <summary>The characters that header names must not contain.</summary>
    private static readonly SearchValues<char> NoTokens = SearchValues.Create("\"(),/:;<=>?@[\\]{}");

    /// <summary>Headers controlled by the HTTP transport.</summary>
    private static readonly string[] OfTransport =
        ["Accept-Encoding", "Connection", "Content-Length", "Expect", "Host", "Transfer-Encoding", "Upgrade"];

    /// <summary>Headers of the SDK, and the options to use instead, if any.</summary>
    private static readonly Dictionary<string, string> OfSdk = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Accept"] = "",
        ["Authorization"] = "; use ClientOptions.ApiKey",
        ["Content-Type"] = "",
        ["Idempotency-Key"] = "; use CallOptions.IdempotencyKey",
        ["Last-Event-ID"] = "; use the parameter after of ReadOutputAsync",
        ["X-Svc-Client"] = "",
    };

    internal Settings(ClientOptions options)
    {
        ApiKey = new ApiKey(CheckKey(options.ApiKey ?? FromEnvironment("SVC_API_KEY")));
        BaseUrl = CheckAddress(options.BaseUrl ?? FromEnvironment("SVC_BASE_URL"));
        Timeout = options.Timeout is { } timeout ? CheckTimeout(timeout) : null;
        AttemptTimeout = CheckTimeout(options.AttemptTimeout);
        MaxRetries = CheckRetries(options.MaxRetries);
        RetryBudget = CheckRetries(options.RetryBudget);
        RetryDelay = CheckDelay(options.RetryDelay);
        MaxRetryDelay = CheckDelay(options.MaxRetryDelay);
        Headers = CheckHeaders(options.Headers);
        Logger = options.Logger;
    }

    internal ApiKey ApiKey { get; }

    /// <summary>Has no trailing slash.</summary>
    internal string BaseUrl { get; }

    /// <summary>The timeout of calls, if set.</summary>
    internal TimeSpan? Timeout { get; }

    internal TimeSpan AttemptTimeout { get; }

    internal int MaxRetries { get; }

    internal int RetryBudget { get; }

    internal TimeSpan RetryDelay { get; }

    internal TimeSpan MaxRetryDelay { get; }

    internal IReadOnlyDictionary<string, string> Headers { get; }

    internal Action<LogEvent>? Logger { get; }

    internal static TimeSpan CheckTimeout(TimeSpan timeout) =>
        timeout > TimeSpan.Zero || timeout == System.Threading.Timeout.InfiniteTimeSpan
            ? timeout
            : throw new ConfigurationException("the timeout must be greater than 0; pass Timeout.InfiniteTimeSpan for no limit");

    internal static int CheckRetries(int retries) => retries >= 0
        ? retries
        : throw new ConfigurationException("the number of retries must not be negative");

    /// <summary>Validates and copies headers. Names in the copy ignore case.</summary>
    internal static IReadOnlyDictionary<string, string> CheckHeaders(IReadOnlyDictionary<string, string>? headers)
    {
        var copy = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in headers ?? ReadOnlyDictionary<string, string>.Empty)
        {
            CheckHeader(name, value);
            if (!copy.TryAdd(name, value))
            {
                throw new ConfigurationException($"the header {name} is given twice: names of headers ignore case");
            }
        }

        return copy;
    }

    internal static string CheckIdempotencyKey(string key) => key.Length > 0 && IsVisible(key)
        ? key
        : throw new ConfigurationException("the idempotency key must contain only visible ASCII characters");

    private static void CheckHeader(string name, string? value)
    {
        if (name.Length == 0 || !IsVisible(name) || name.AsSpan().IndexOfAny(NoTokens) >= 0
            || value is null || !IsVisible(value.Replace(" ", "", StringComparison.Ordinal)))
        {
            throw new ConfigurationException("the header is malformed: use printable ASCII characters");
        }

        if (OfTransport.Contains(name, StringComparer.OrdinalIgnoreCase)
            || name.StartsWith("Sec-WebSocket-", StringComparison.OrdinalIgnoreCase))
        {
            throw new ConfigurationException($"the header {name} is set by the transport and cannot be changed");
        }

        if (OfSdk.TryGetValue(name, out var instead))
        {
            throw new ConfigurationException($"the header {name} is set by the SDK and cannot be changed{instead}");
        }
    }

    private static string CheckKey(string? key)
    {
        if (string.IsNullOrEmpty(key))
        {
            throw new ConfigurationException("no API key: set SVC_API_KEY or pass ClientOptions.ApiKey");
        }

        return IsVisible(key)
            ? key
            : throw new ConfigurationException(
                "the API key is malformed: it must contain only visible ASCII characters; check for spaces or line breaks around it");
    }

    private static string CheckAddress(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            throw new ConfigurationException("no base URL: set SVC_BASE_URL or pass ClientOptions.BaseUrl");
        }

        if (!Uri.TryCreate(text, UriKind.Absolute, out var address)
            || (address.Scheme != Uri.UriSchemeHttp && address.Scheme != Uri.UriSchemeHttps)
            || address.Host.Length == 0)
        {
            throw new ConfigurationException("the base URL must be an HTTP or HTTPS URL such as https://svc.example.com");
        }

        return address.UserInfo.Length > 0 || text.AsSpan().IndexOfAny('?', '#') >= 0
            ? throw new ConfigurationException("the base URL must not contain a user, a query or a fragment")
            : address.AbsoluteUri.TrimEnd('/');
    }

    private static TimeSpan CheckDelay(TimeSpan delay) => delay >= TimeSpan.Zero && delay <= LongestDelay
        ? delay
        : throw new ConfigurationException("the retry delay must not be negative or longer than a day");

    private static string? FromEnvironment(string name) => Environment.GetEnvironmentVariable(name);

    private static bool IsVisible(string text) => text.AsSpan().IndexOfAnyExceptInRange('!', '~') < 0;
}
