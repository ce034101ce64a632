using System.Text;

namespace Svc.Runtime;

/// <summary>A response of the service, with the API key redacted.</summary>
public class ApiResponse
{
    private string? _body;

    internal ApiResponse(int status, IReadOnlyDictionary<string, string> headers, byte[] utf8)
    {
        Status = status;
        Headers = headers;
        Utf8 = utf8.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? utf8.AsMemory(3) : utf8;
    }

    private protected ApiResponse(ApiResponse other)
    {
        Status = other.Status;
        Headers = other.Headers;
        Utf8 = other.Utf8;
        Attempts = other.Attempts;
        IdempotencyKey = other.IdempotencyKey;
    }

    /// <summary>The HTTP status code.</summary>
    public int Status { get; }

    /// <summary>The headers. Lookups ignore case; repeated headers are joined by commas.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; }

    /// <summary>The body.</summary>
    public string Body => _body ??= Encoding.UTF8.GetString(Utf8.Span);

    /// <summary>The id of the execution that the call created, if the headers contain it.</summary>
    public string? ExecutionId => Headers.TryGetValue("X-Execution-Id", out var id) && id.Length > 0 ? id : null;

    /// <summary>The number of attempts, including the first.</summary>
    public int Attempts { get; internal init; } = 1;

    /// <summary>The key sent with every attempt.</summary>
    public string IdempotencyKey { get; internal init; } = "";

    /// <summary>The raw body, with the API key redacted.</summary>
    internal ReadOnlyMemory<byte> Utf8 { get; }
}

/// <summary>A response of the service and its value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class ApiResponse<T> : ApiResponse
{
    internal ApiResponse(ApiResponse answer, T value)
        : base(answer) => Value = value;

    /// <summary>The value.</summary>
    public T Value { get; }
}
