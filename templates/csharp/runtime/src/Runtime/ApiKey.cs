namespace Svc.Runtime;

/// <summary>The API key, protected from accidental disclosure.</summary>
internal sealed class ApiKey
{
    private const string Mask = "[redacted]";

    /// <summary>The minimum length of a key that is redacted. Shorter keys are test keys, which can occur in ordinary text.</summary>
    private const int ShortestSecret = 16;

    private readonly string _key;

    internal ApiKey(string key)
    {
        _key = key;
        Authorization = $"Bearer {key}";
    }

    internal string Authorization { get; }

    /// <summary>Returns a mask.</summary>
    public override string ToString() => Mask;

    /// <summary>Returns a text without the key.</summary>
    internal string Redact(string text) =>
        _key.Length < ShortestSecret ? text : text.Replace(_key, Mask, StringComparison.Ordinal);

    /// <summary>Returns an exception without the key, because exceptions of transports can contain the request.</summary>
    internal Exception Redact(Exception error) => Redact(error.ToString()) != error.ToString()
        ? new HttpRequestException(Redact(error.Message))
        : error;
}
