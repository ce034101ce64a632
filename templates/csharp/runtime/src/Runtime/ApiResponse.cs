using System.Text;

namespace Svc.Runtime;

/// <summary>An answer of the service as it came, without the API key.</summary>
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

    /// <summary>The HTTP status.</summary>
    public int Status { get; }

    /// <summary>The headers, by their names in whatever case; several of one name are joined by commas.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; }

    /// <summary>The body.</summary>
    public string Body => _body ??= Encoding.UTF8.GetString(Utf8.Span);

    /// <summary>The id under which the service recorded the execution, when it says one.</summary>
    public string? ExecutionId => Headers.TryGetValue("X-Execution-Id", out var id) && id.Length > 0 ? id : null;

    /// <summary>How often the request was sent.</summary>
    public int Attempts { get; internal init; } = 1;

    /// <summary>The key that every attempt carried.</summary>
    public string IdempotencyKey { get; internal init; } = "";

    /// <summary>The body as it came, without the API key.</summary>
    internal ReadOnlyMemory<byte> Utf8 { get; }
}

/// <summary>An answer of the service and the value that was read from it.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class ApiResponse<T> : ApiResponse
{
    internal ApiResponse(ApiResponse answer, T value)
        : base(answer) => Value = value;

    /// <summary>The value.</summary>
    public T Value { get; }
}
