using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Reads the responses of the service.</summary>
internal static class Responses
{
    /// <summary>The header that lists how a request differs from the first one with the same idempotency key.</summary>
    internal const string MismatchHeader = "Idempotency-Mismatch";

    /// <summary>Maximum length of a non-JSON body in an error message.</summary>
    private const int LongestReason = 500;

    /// <summary>Parses the JSON object in a successful response.</summary>
    internal static JsonElement ObjectOf(ApiResponse response)
    {
        var found = TryParse(response, out var problem);
        return found is { ValueKind: JsonValueKind.Object } element
            ? element
            : throw Invalid(response, "not a JSON object", problem);
    }

    /// <summary>Returns the value at a key; null if it is absent, or the element is not an object.</summary>
    internal static JsonElement? Find(JsonElement element, string key)
    {
        JsonElement? found = null;
        if (element.ValueKind == JsonValueKind.Object)
        {
            foreach (var property in element.EnumerateObject())
            {
                found = IsNamed(property, key) ? property.Value : found;
            }
        }

        return found;
    }

    /// <summary>Returns a non-empty string, or null.</summary>
    internal static string? TextOf(JsonElement element, string key)
    {
        if (Find(element, key) is not { ValueKind: JsonValueKind.String } found)
        {
            return null;
        }

        try
        {
            return found.GetString() is { Length: > 0 } text ? text : null;
        }
        catch (InvalidOperationException)
        {
            // Unpaired surrogates are not valid text.
            return null;
        }
    }

    /// <summary>Returns a required string.</summary>
    internal static string RequiredText(JsonElement element, string key, ApiResponse response) =>
        TextOf(element, key) ?? throw Invalid(response, $"{key} is missing");

    /// <summary>Returns the JSON of an output.</summary>
    internal static ReadOnlyMemory<byte> RawOf(JsonElement output, ApiResponse response)
    {
        try
        {
            return Encoding.UTF8.GetBytes(output.GetRawText());
        }
        catch (InvalidOperationException problem)
        {
            throw Invalid(response, "output is not valid UTF-8", problem);
        }
    }

    /// <summary>Returns the cursor of the next page, or null.</summary>
    /// <param name="page">The page.</param>
    /// <param name="cursor">The cursor of the page itself. A repeated cursor is rejected, because it would cause an endless loop.</param>
    /// <param name="response">The response.</param>
    internal static string? NextCursorOf(JsonElement page, string? cursor, ApiResponse response)
    {
        var next = TextOf(page, "next_cursor");
        return next is not null && next == cursor ? throw Invalid(response, "next_cursor is the cursor of this page") : next;
    }

    /// <summary>Parses an ISO 8601 time; null if it is missing or malformed.</summary>
    internal static DateTimeOffset? TimeOf(JsonElement raw, string key) => DateTimeOffset.TryParse(
        TextOf(raw, key),
        CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
        out var time)
        ? time
        : null;

    /// <summary>Returns the value at a key; null if it is absent or JSON null.</summary>
    internal static JsonElement? GivenOf(JsonElement element, string key) =>
        Find(element, key) is { ValueKind: not JsonValueKind.Null } found ? found : null;

    /// <summary>Returns the execution id in the body of a response, or null.</summary>
    internal static string? ExecutionIdOf(ApiResponse response) =>
        TryParse(response, out _) is { } fields && TextOf(fields, "execution_id") is { } id ? response.Redact(id) : null;

    /// <summary>Returns the exception for an invalid successful response.</summary>
    internal static InvalidResponseException Invalid(ApiResponse response, string reason, Exception? cause = null) =>
        new($"invalid response: {reason}{HintOf(response)}{response.Origin()}", response, cause);

    /// <summary>Decodes a value in a response.</summary>
    internal static T Read<T>(Codec<T> codec, ReadOnlyMemory<byte> utf8, ApiResponse response)
    {
        try
        {
            return codec.Parse(utf8.Span);
        }
        catch (ValueException problem)
        {
            throw Invalid(response, problem.Message, problem);
        }
    }

    /// <summary>Returns the exception for a response with an error status.</summary>
    internal static StatusException FailureOf(ApiResponse response)
    {
        var fields = TryParse(response, out _) ?? default;
        var kind = KindOf(fields);
        var executionId = response.ExecutionId ?? ExecutionIdOf(response);
        var message = $"{ReasonOf(fields, response)}{response.Origin(response.Status, executionId)}";
        var failure = Make(response.Status, kind, message, response);
        return Describe(failure, TextOf(fields, "code") ?? kind, executionId, RetryAfterOf(response, fields));
    }

    /// <summary>Returns the exception if the key was first sent with a different request; otherwise null.</summary>
    internal static IdempotencyMismatchException? MismatchOf(ApiResponse response)
    {
        if (response.HeaderOf(MismatchHeader) is not { } differences)
        {
            return null;
        }

        var names = differences
            .Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(name => name switch
            {
                "graph_id" => "flow",
                "execution_id" => "execution",
                _ => name,
            });
        var executionId = response.HeaderOf("X-Execution-Id") is { } id ? response.Redact(id) : ExecutionIdOf(response);
        var message = $"the idempotency key belongs to an earlier request that differs in its {string.Join(" and ", names)}";
        return new($"{message}{response.Origin(response.Status, executionId)}", response) { ExecutionId = executionId };
    }

    private static bool IsNamed(JsonProperty property, string key)
    {
        try
        {
            return property.NameEquals(key);
        }
        catch (InvalidOperationException)
        {
            // Unpaired surrogates are not valid text.
            return false;
        }
    }

    /// <summary>
    /// Returns the error class in <c>error</c>, or otherwise <c>code</c>. <c>error</c> can be free text, even a single word like
    /// <c>forbidden</c>, which proxies send as well.
    /// </summary>
    private static string? KindOf(JsonElement fields)
    {
        var said = TextOf(fields, "error") ?? "";
        var isClass = said.Contains('_') && said.All(each => each == '_' || char.IsAsciiLetterOrDigit(each));
        return isClass ? said : TextOf(fields, "code");
    }

    private static JsonElement? TryParse(ApiResponse response, out JsonException? problem)
    {
        problem = null;
        try
        {
            var reader = new Utf8JsonReader(response.Utf8.Span, JsonText.ReaderOptions);
            var element = JsonElement.ParseValue(ref reader);
            // The reader rejects trailing content.
            reader.Read();
            return element;
        }
        catch (JsonException exception)
        {
            problem = exception;
            return null;
        }
    }

    private static StatusException Make(int status, string? kind, string message, ApiResponse response) => status switch
    {
        400 => new BadRequestException(message, response),
        401 => new UnauthorizedException(message, response),
        403 => kind switch
        {
            "tenant_suspended" => new TenantSuspendedException(message, response),
            "app_key_graph_denied" => new AppKeyGraphDeniedException(message, response),
            _ => new ForbiddenException(message, response),
        },
        404 => new NotFoundException(message, response),
        413 => new PayloadTooLargeException(message, response),
        422 => new NodeFailedException(message, response),
        429 when kind == "quota_exceeded" => new QuotaExceededException(message, response),
        429 => new RateLimitedException(message, response),
        502 or 503 or 504 => new UpstreamUnavailableException(message, response),
        >= 500 => new ServerException(message, response),
        _ => new StatusException(message, response),
    };

    /// <summary>Returns a hint for a response that is a web page and does not come from the service.</summary>
    private static string HintOf(ApiResponse response) =>
        response.HeaderOf("Content-Type") is { } type && type.StartsWith("text/html", StringComparison.OrdinalIgnoreCase)
            ? "; the response is a web page, check the base URL"
            : "";

    private static StatusException Describe(
        StatusException failure,
        string? code,
        string? executionId,
        TimeSpan? retryAfter)
    {
        failure.ErrorCode = code ?? failure.ErrorCode;
        failure.ExecutionId = executionId;
        failure.RetryAfter = retryAfter;
        return failure;
    }

    private static string ReasonOf(JsonElement fields, ApiResponse response)
    {
        if (response.Status is >= 300 and <= 399 && response.Headers.TryGetValue("Location", out var location))
        {
            return $"the service redirects to {location}, which is not followed; check the base URL";
        }

        var reason = TextOf(fields, "error_message") ?? TextOf(fields, "message") ?? TextOf(fields, "error");
        if (reason is not null)
        {
            return reason;
        }

        // Redact before truncating, so that no part of the key remains at the end.
        var text = response.Redact(response.Body).Trim();
        if (text is "" or "{}")
        {
            return "no error message";
        }

        return text.Length <= LongestReason
            ? text
            : text[..(char.IsHighSurrogate(text[LongestReason - 1]) ? LongestReason - 1 : LongestReason)];
    }

    private static TimeSpan? RetryAfterOf(ApiResponse response, JsonElement fields)
    {
        if (response.Headers.TryGetValue("Retry-After", out var header)
            && RetryPolicy.ParseRetryAfter(header) is { } asked)
        {
            return asked;
        }

        return Find(fields, "retry_after_seconds") is { ValueKind: JsonValueKind.Number } seconds
            ? RetryPolicy.SecondsToWait(seconds.GetDouble())
            : null;
    }
}
