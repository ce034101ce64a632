using System.Text;

namespace Svc.Runtime;

/// <summary>A response of the service, as received.</summary>
public class ApiResponse
{
    private string? _body;

    private readonly ApiKey? _key;

    internal ApiResponse(int status, IReadOnlyDictionary<string, string> headers, byte[] utf8, ApiKey? key = null)
    {
        _key = key;
        Status = status;
        Headers = headers;
        Utf8 = utf8.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? utf8.AsMemory(3) : utf8;
        ExecutionId = HeaderOf("X-Execution-Id") is { } id ? Redact(id) : null;
    }

    private protected ApiResponse(ApiResponse other)
    {
        _key = other._key;
        Status = other.Status;
        Headers = other.Headers;
        Utf8 = other.Utf8;
        Attempts = other.Attempts;
        IdempotencyKey = other.IdempotencyKey;
        ExecutionId = other.ExecutionId;
    }

    /// <summary>The HTTP status code.</summary>
    public int Status { get; }

    /// <summary>The headers. Lookups ignore case; repeated headers are joined by commas.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; }

    /// <summary>The body.</summary>
    public string Body => _body ??= Encoding.UTF8.GetString(Utf8.Span);

    /// <summary>The id of the execution that the call created, if known.</summary>
    public string? ExecutionId { get; internal set; }

    /// <summary>The id of the request in the logs of the service, if the service sent it.</summary>
    public string? RequestId => HeaderOf("X-Request-Id");

    /// <summary>The number of attempts, including the first.</summary>
    public int Attempts { get; internal init; } = 1;

    /// <summary>The key sent with every attempt.</summary>
    public string IdempotencyKey { get; internal init; } = "";

    /// <summary>Shows the status and the ids, not the body.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"HTTP {Status}{Origin()}";

    /// <summary>The raw body.</summary>
    internal ReadOnlyMemory<byte> Utf8 { get; }

    /// <summary>Returns the response with another body, such as a part of the original.</summary>
    internal ApiResponse WithBody(byte[] utf8) => new(Status, Headers, utf8, _key)
    {
        Attempts = Attempts,
        IdempotencyKey = IdempotencyKey,
        ExecutionId = ExecutionId,
    };

    /// <summary>Returns a header, or null if it is absent or empty.</summary>
    internal string? HeaderOf(string name) => Headers.TryGetValue(name, out var value) && value.Length > 0 ? value : null;

    /// <summary>Returns the ids of the response, and the status if it is given, as the suffix of an error message.</summary>
    internal string Origin(int? status = null, string? executionId = null)
    {
        var run = executionId ?? ExecutionId;
        string?[] parts =
        [
            status is null ? null : $"HTTP {status}",
            run is null ? null : $"execution {run}",
            RequestId is null ? null : $"request {RequestId}",
        ];
        var known = string.Join(", ", parts.Where(part => part is not null));
        return known.Length == 0 ? "" : $" ({known})";
    }

    /// <summary>Returns a text without the API key, for errors and logs.</summary>
    internal string Redact(string text) => _key?.Redact(text) ?? text;

    /// <summary>Returns the headers without the API key, for errors.</summary>
    internal IReadOnlyDictionary<string, string> RedactedHeaders() =>
        Headers.ToDictionary(header => header.Key, header => Redact(header.Value), StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns an exception without the API key, for errors.</summary>
    internal Exception? Redact(Exception? error) => error is null ? null : _key?.Redact(error) ?? error;
}

/// <summary>A response of the service and its value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class ApiResponse<T> : ApiResponse
{
    internal ApiResponse(ApiResponse response, T value)
        : base(response) => Value = value;

    /// <summary>The value.</summary>
    public T Value { get; }
}
