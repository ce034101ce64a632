namespace Svc.Runtime;

/// <summary>The API key, protected from being printed.</summary>
internal sealed class ApiKey
{
    private const string Mask = "[redacted]";
    private readonly string _key;

    internal ApiKey(string key)
    {
        _key = key;
        Authorization = $"Bearer {key}";
    }

    internal string Authorization { get; }

    /// <summary>Prints a mask.</summary>
    public override string ToString() => Mask;

    internal string Redact(string text) => text.Replace(_key, Mask, StringComparison.Ordinal);

    /// <summary>Returns an exception without the key, since exceptions of transports can contain the request.</summary>
    internal Exception Redact(Exception error) => error.ToString().Contains(_key, StringComparison.Ordinal)
        ? new HttpRequestException(Redact(error.Message))
        : error;
}
