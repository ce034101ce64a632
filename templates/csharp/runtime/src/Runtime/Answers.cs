using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Reads what the service itself says in answers.</summary>
internal static class Answers
{
    /// <summary>How much of an answer that is no JSON goes into a message.</summary>
    private const int LongestReason = 500;

    /// <summary>The object that a successful answer has to be.</summary>
    internal static JsonElement ObjectOf(ApiResponse answer)
    {
        var found = TryParse(answer, out var problem);
        return found is { ValueKind: JsonValueKind.Object } element
            ? element
            : throw Invalid(answer, "it is not a JSON object", problem);
    }

    /// <summary>A text that is not empty, else null.</summary>
    internal static string? TextOf(JsonElement element, string key)
    {
        if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(key, out var found)
            || found.ValueKind != JsonValueKind.String)
        {
            return null;
        }

        try
        {
            return found.GetString() is { Length: > 0 } text ? text : null;
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair is no text.
            return null;
        }
    }

    /// <summary>A text that has to be there.</summary>
    internal static string RequiredText(JsonElement element, string key, ApiResponse answer) =>
        TextOf(element, key) ?? throw Invalid(answer, $"it has no {key}");

    /// <summary>A successful answer that is not what it should be.</summary>
    internal static InvalidAnswerException Invalid(ApiResponse answer, string reason, Exception? cause = null) =>
        new($"the answer does not fit: {reason}", answer, cause);

    /// <summary>Reads a value from JSON of an answer.</summary>
    internal static T Read<T>(Codec<T> codec, ReadOnlyMemory<byte> utf8, ApiResponse answer)
    {
        try
        {
            return codec.Parse(utf8.Span);
        }
        catch (ValueException problem)
        {
            throw Invalid(answer, problem.Message, problem);
        }
    }

    /// <summary>The failure that an answer outside of 2xx means.</summary>
    internal static StatusException FailureOf(ApiResponse answer)
    {
        var fields = TryParse(answer, out _) ?? default;
        var code = TextOf(fields, "error");
        var executionId = answer.ExecutionId ?? TextOf(fields, "execution_id");
        var run = executionId is null ? "" : $", execution {executionId}";
        var message = $"{ReasonOf(fields, answer)} (HTTP {answer.Status}{run})";
        return Describe(Make(answer.Status, code, message, answer), code, executionId, RetryAfterOf(answer, fields));
    }

    private static JsonElement? TryParse(ApiResponse answer, out JsonException? problem)
    {
        problem = null;
        try
        {
            var reader = new Utf8JsonReader(answer.Utf8.Span, JsonText.ReaderOptions);
            var element = JsonElement.ParseValue(ref reader);
            // What follows the value is refused by the reader.
            reader.Read();
            return element;
        }
        catch (JsonException exception)
        {
            problem = exception;
            return null;
        }
    }

    private static StatusException Make(int status, string? code, string message, ApiResponse answer) => status switch
    {
        400 => new BadRequestException(message, answer),
        401 => new UnauthorizedException(message, answer),
        403 => code switch
        {
            "tenant_suspended" => new TenantSuspendedException(message, answer),
            "app_key_graph_denied" => new AppKeyGraphDeniedException(message, answer),
            _ => new ForbiddenException(message, answer),
        },
        404 => new NotFoundException(message, answer),
        413 => new PayloadTooLargeException(message, answer),
        422 => new NodeFailedException(message, answer),
        429 when code == "quota_exceeded" => new QuotaExceededException(message, answer),
        429 => new RateLimitedException(message, answer),
        502 or 503 or 504 => new UpstreamUnavailableException(message, answer),
        >= 500 => new ServerException(message, answer),
        _ => new StatusException(message, answer),
    };

    private static StatusException Describe(
        StatusException failure,
        string? code,
        string? executionId,
        TimeSpan? retryAfter)
    {
        failure.ErrorCode = code;
        failure.ExecutionId = executionId;
        failure.RetryAfter = retryAfter;
        return failure;
    }

    private static string ReasonOf(JsonElement fields, ApiResponse answer)
    {
        var told = TextOf(fields, "error_message") ?? TextOf(fields, "message") ?? TextOf(fields, "error");
        if (told is not null)
        {
            return told;
        }

        var text = answer.Body.Trim();
        if (fields.ValueKind == JsonValueKind.Object || text.Length == 0)
        {
            return "the service gave no reason";
        }

        return text.Length <= LongestReason
            ? text
            : text[..(char.IsHighSurrogate(text[LongestReason - 1]) ? LongestReason - 1 : LongestReason)];
    }

    private static TimeSpan? RetryAfterOf(ApiResponse answer, JsonElement fields)
    {
        if (answer.Headers.TryGetValue("Retry-After", out var header)
            && RetryPolicy.ParseRetryAfter(header) is { } asked)
        {
            return asked;
        }

        return fields.ValueKind == JsonValueKind.Object
            && fields.TryGetProperty("retry_after_seconds", out var seconds)
            && seconds.ValueKind == JsonValueKind.Number
            ? RetryPolicy.SecondsToWait(seconds.GetDouble())
            : null;
    }
}
