using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Svc.Runtime;

/// <summary>
/// Creates the return values and exceptions of a mocked client, for tests of programs that use it. Each method is named after the type
/// that it creates. The members of clients, of
/// <see cref="Execution{T}"/>, of <see cref="SplitStreamHandle{TInput, TOutput}"/> and of
/// <see cref="LiveSession{TInput, TOutput}"/> are virtual.
/// </summary>
public static class ModelFactory
{
    /// <summary>Creates a response with a value.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="value">The value.</param>
    /// <param name="status">The HTTP status code.</param>
    /// <param name="body">The body.</param>
    /// <param name="headers">The headers.</param>
    /// <returns>The response.</returns>
    public static ApiResponse<T> ApiResponse<T>(
        T value,
        int status = 200,
        string body = "",
        IReadOnlyDictionary<string, string>? headers = null) => new(ApiResponse(status, body, headers), value);

    /// <summary>Creates a response with an empty body and no headers.</summary>
    /// <param name="status">The HTTP status code.</param>
    /// <returns>The response.</returns>
    public static ApiResponse ApiResponse(int status) => ApiResponse(status, "");

    /// <summary>Creates a response.</summary>
    /// <param name="status">The HTTP status code.</param>
    /// <param name="body">The body.</param>
    /// <param name="headers">The headers.</param>
    /// <returns>The response.</returns>
    public static ApiResponse ApiResponse(
        int status = 200,
        string body = "",
        IReadOnlyDictionary<string, string>? headers = null)
    {
        ArgumentNullException.ThrowIfNull(body);
        var own = new Dictionary<string, string>(headers ?? new Dictionary<string, string>(), StringComparer.OrdinalIgnoreCase);
        return new ApiResponse(status, own, Encoding.UTF8.GetBytes(body));
    }

    /// <summary>Creates the exception that a client throws for an error status.</summary>
    /// <param name="status">The HTTP status code, from 300 to 599.</param>
    /// <param name="errorCode">The error code of the service, such as <c>quota_exceeded</c>.</param>
    /// <param name="message">The message of the service.</param>
    /// <param name="retryAfter">The time to wait before the next attempt.</param>
    /// <param name="executionId">The id of the execution, if there is one.</param>
    /// <param name="idempotencyKey">The key sent with every attempt.</param>
    /// <param name="attempts">The number of attempts.</param>
    /// <returns>The exception, whose type depends on the status and the error code; for 422, that of a failed node.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The status is not an error status.</exception>
    public static StatusException StatusException(
        int status,
        string? errorCode = null,
        string? message = null,
        TimeSpan? retryAfter = null,
        string? executionId = null,
        string? idempotencyKey = null,
        int attempts = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(status, 300);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(status, 599);
        var headers = new Dictionary<string, string>();
        if (executionId is not null)
        {
            headers["X-Execution-Id"] = executionId;
        }

        var failure = Responses.FailureOf(ApiResponse(status, JsonOf(("error", errorCode), ("message", message)), headers));
        failure.RetryAfter = retryAfter;
        return Sent(failure, idempotencyKey, attempts);
    }

    /// <summary>Creates the exception for a missing or malformed option.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The exception.</returns>
    public static ConfigurationException ConfigurationException(string message) => new(message);

    /// <summary>Creates the exception for an invalid successful response.</summary>
    /// <param name="message">The message.</param>
    /// <param name="response">The response, if there is one.</param>
    /// <returns>The exception.</returns>
    public static InvalidResponseException InvalidResponseException(string message, ApiResponse? response = null) => new(message, response);

    /// <summary>Creates the exception for an invalid message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The exception.</returns>
    public static ValueException ValueException(string message) => new(message);

    /// <summary>Creates the exception for an idempotency key that was used for a different request.</summary>
    /// <param name="executionId">The id of the earlier request's run.</param>
    /// <param name="differences">The differences of the earlier request: <c>graph_id</c>, <c>input</c> or <c>execution_id</c>.</param>
    /// <returns>The exception.</returns>
    public static IdempotencyMismatchException IdempotencyMismatchException(string executionId, params string[] differences)
    {
        var headers = new Dictionary<string, string>
        {
            [Responses.MismatchHeader] = differences is { Length: > 0 } ? string.Join(", ", differences) : "input",
            ["X-Execution-Id"] = executionId,
        };
        return Responses.MismatchOf(ApiResponse(202, "", headers))!;
    }

    /// <summary>Creates the exception for an unreachable service.</summary>
    /// <param name="message">The message.</param>
    /// <param name="idempotencyKey">The key sent with every attempt.</param>
    /// <param name="attempts">The number of attempts.</param>
    /// <param name="innerException">The exception of the transport.</param>
    /// <returns>The exception.</returns>
    public static ConnectionException ConnectionException(
        string message = "cannot reach the service",
        string? idempotencyKey = null,
        int attempts = 1,
        Exception? innerException = null) =>
        Sent(new ConnectionException(message, innerException), idempotencyKey, attempts);

    /// <summary>Creates the exception for a truncated response.</summary>
    /// <param name="response">The received part of the response.</param>
    /// <returns>The exception.</returns>
    public static InterruptedResponseException InterruptedResponseException(ApiResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        return new("the connection was lost while reading the response", response, null);
    }

    /// <summary>Creates the exception for a failed run.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="reason">The reason.</param>
    /// <param name="status">The status of the run, if it is known.</param>
    /// <param name="failedNodeName">The placement in the flow at which the run failed, if it is known.</param>
    /// <returns>The exception.</returns>
    public static FlowFailedException FlowFailedException(
        string executionId,
        string reason,
        ExecutionStatus? status = null,
        string? failedNodeName = null) =>
        new($"{reason} (execution {executionId})", null, status, failedNodeName) { ExecutionId = executionId };

    /// <summary>Creates the exception for a call that times out.</summary>
    /// <param name="executionId">The id of the execution, if it is known.</param>
    /// <param name="idempotencyKey">The key sent with every attempt.</param>
    /// <param name="attempts">The number of attempts.</param>
    /// <param name="innerException">The exception of an earlier attempt, which the message includes, or of the transport.</param>
    /// <returns>The exception.</returns>
    public static CallTimeoutException CallTimeoutException(
        string? executionId = null,
        string? idempotencyKey = null,
        int attempts = 1,
        Exception? innerException = null)
    {
        var earlier = innerException as SvcException;
        var failure = LogicalCall.TimeoutAfter(earlier, "the call did not complete within its timeout", innerException);
        failure.ExecutionId = executionId;
        return Sent(failure, idempotencyKey, attempts);
    }

    /// <summary>Creates the exception for an interrupted stream.</summary>
    /// <param name="executionId">The id of the execution, if it is known.</param>
    /// <returns>The exception.</returns>
    public static StreamInterruptedException StreamInterruptedException(string? executionId = null) =>
        new("the stream was cut off") { ExecutionId = executionId };

    /// <summary>Creates the exception for a wait that times out.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="innerException">The failure of the latest poll, if it failed. The message includes it.</param>
    /// <returns>The exception.</returns>
    public static WaitTimeoutException WaitTimeoutException(string executionId, SvcException? innerException = null) =>
        new(executionId, latestFailure: innerException);

    /// <summary>Creates the exception for a paused run.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="pauseId">The id of the pause.</param>
    /// <returns>The exception.</returns>
    public static FlowPausedException FlowPausedException(string executionId, string pauseId) => new(executionId, pauseId);

    /// <summary>Creates a stream. It fails when its messages throw, for example a <see cref="StreamInterruptedException"/>.</summary>
    /// <typeparam name="T">The type of the messages.</typeparam>
    /// <param name="outputs">The messages.</param>
    /// <param name="response">The response, by default an empty one.</param>
    /// <returns>The stream.</returns>
    public static StreamedOutput<T> StreamedOutput<T>(IEnumerable<T> outputs, ApiResponse? response = null)
    {
        ArgumentNullException.ThrowIfNull(outputs);
        return StreamedOutput(FakeStream.SourceOf(outputs), response);
    }

    /// <summary>
    /// Creates a stream whose messages arrive asynchronously, like those of the service. The source is cancelled with the stream.
    /// </summary>
    /// <typeparam name="T">The type of the messages.</typeparam>
    /// <param name="outputs">The messages.</param>
    /// <param name="response">The response, by default an empty one.</param>
    /// <returns>The stream.</returns>
    public static StreamedOutput<T> StreamedOutput<T>(IAsyncEnumerable<T> outputs, ApiResponse? response = null)
    {
        ArgumentNullException.ThrowIfNull(outputs);
        return new FakeStream<T>(outputs, response ?? ApiResponse());
    }

    /// <summary>Creates a complete upload to a split stream.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="inputFrames">The number of messages.</param>
    /// <returns>The upload.</returns>
    public static SplitUpload SplitUpload(string? executionId, long inputFrames) => new(executionId, inputFrames);

    /// <summary>Creates the record of an execution.</summary>
    /// <param name="id">The execution id.</param>
    /// <param name="status">The status.</param>
    /// <param name="graphId">The id of the flow.</param>
    /// <param name="createdAt">The creation time.</param>
    /// <param name="updatedAt">The time of the last change.</param>
    /// <param name="completedAt">The end time.</param>
    /// <param name="pauseId">The id of the pause that is waiting for a decision.</param>
    /// <param name="latestCheckpointId">The id of the latest checkpoint.</param>
    /// <param name="errorMessage">The reason, if the execution failed.</param>
    /// <param name="failedNodeName">The placement in the flow at which the execution failed.</param>
    /// <returns>The record.</returns>
    public static ExecutionRecord ExecutionRecord(
        string id,
        ExecutionStatus status,
        string? graphId = null,
        DateTimeOffset? createdAt = null,
        DateTimeOffset? updatedAt = null,
        DateTimeOffset? completedAt = null,
        string? pauseId = null,
        string? latestCheckpointId = null,
        string? errorMessage = null,
        string? failedNodeName = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        var response = ResponseOf(
            ("execution_id", id),
            ("status", status.Name),
            ("graph_id", graphId),
            ("created_at", createdAt),
            ("updated_at", updatedAt),
            ("completed_at", completedAt),
            ("pause_id", pauseId),
            ("latest_checkpoint_id", latestCheckpointId),
            ("error_message", errorMessage),
            ("failed_node_name", failedNodeName));
        return new(Responses.ObjectOf(response), response);
    }

    /// <summary>Creates a pause of an execution.</summary>
    /// <param name="id">The id of the pause.</param>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="status">The status; <see cref="PauseStatus.Waiting"/> by default.</param>
    /// <param name="nodeName">The placement in the flow that asked.</param>
    /// <param name="question">The question, such as <c>JsonSerializer.SerializeToElement(message)</c>.</param>
    /// <param name="decisionType">The full name of the decision's message type.</param>
    /// <param name="checkpointId">The id of the checkpoint at the pause.</param>
    /// <param name="createdAt">The time of the question.</param>
    /// <param name="expiresAt">The deadline for the decision.</param>
    /// <param name="resumeUrl">The link for deciding without an API key.</param>
    /// <param name="resumedAt">The time of the decision.</param>
    /// <param name="escalatedAt">The time of the escalation.</param>
    /// <param name="resumedBy">Who decided.</param>
    /// <param name="decision">The decision.</param>
    /// <param name="graphId">The id of the flow.</param>
    /// <returns>The pause.</returns>
    public static Pause Pause(
        string id,
        string executionId,
        PauseStatus status = default,
        string? nodeName = null,
        JsonElement? question = null,
        string? decisionType = null,
        string? checkpointId = null,
        DateTimeOffset? createdAt = null,
        DateTimeOffset? expiresAt = null,
        string? resumeUrl = null,
        DateTimeOffset? resumedAt = null,
        DateTimeOffset? escalatedAt = null,
        string? resumedBy = null,
        JsonElement? decision = null,
        string? graphId = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(executionId);
        var response = ResponseOf(
            ("pause_id", id),
            ("execution_id", executionId),
            ("graph_id", graphId),
            ("status", status.Name),
            ("node_name", nodeName),
            ("interrupt_payload", NodeOf(question)),
            ("resume_schema", decisionType),
            ("checkpoint_id", checkpointId),
            ("created_at", createdAt),
            ("expires_at", expiresAt),
            ("resume_url", resumeUrl),
            ("resumed_at", resumedAt),
            ("escalated_at", escalatedAt),
            ("resumed_by", resumedBy),
            ("resume_value", NodeOf(decision)));
        return new(Responses.ObjectOf(response), response);
    }

    /// <summary>Creates the response to a decision.</summary>
    /// <param name="pauseId">The id of the pause.</param>
    /// <param name="alreadyResumed">Whether another decision came first.</param>
    /// <param name="decision">The decision that won.</param>
    /// <param name="resumedAt">The time of the decision that won.</param>
    /// <param name="resumedBy">Who made the decision that won.</param>
    /// <returns>The response, with the status <see cref="PauseStatus.Resumed"/>.</returns>
    public static ResumedPause ResumedPause(
        string pauseId,
        bool alreadyResumed = false,
        JsonElement? decision = null,
        DateTimeOffset? resumedAt = null,
        string? resumedBy = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(pauseId);
        var response = ResponseOf(
            ("pause_id", pauseId),
            ("status", PauseStatus.Resumed.Name),
            ("resumed_at", resumedAt),
            ("resumed_by", resumedBy),
            ("resume_value", NodeOf(decision)),
            ("already_resumed", alreadyResumed));
        return new(Responses.ObjectOf(response), response);
    }

    /// <summary>Creates an event of an execution.</summary>
    /// <param name="type">The event type, such as <see cref="ExecutionEventType.NodeFailed"/>.</param>
    /// <param name="ulid">The unique event id.</param>
    /// <param name="time">The time of the event, with millisecond precision.</param>
    /// <param name="nodeName">The placement in the flow, for events of a node.</param>
    /// <param name="input">The input message.</param>
    /// <param name="output">The output message.</param>
    /// <param name="errorMessage">The reason, for failure events.</param>
    /// <param name="pauseId">The id of the pause, for pause events.</param>
    /// <returns>The event.</returns>
    public static ExecutionEvent ExecutionEvent(
        ExecutionEventType type,
        string ulid = "",
        DateTimeOffset? time = null,
        string? nodeName = null,
        JsonElement? input = null,
        JsonElement? output = null,
        string? errorMessage = null,
        string? pauseId = null) => new(Responses.ObjectOf(ResponseOf(
            ("type", type.Name),
            ("event_ulid", ulid),
            ("timestamp_ms", time?.ToUnixTimeMilliseconds()),
            ("node_name", nodeName),
            ("input", NodeOf(input)),
            ("output", NodeOf(output)),
            ("error", errorMessage),
            ("pause_id", pauseId))));

    /// <summary>Creates a log event of a call, for tests of a logger.</summary>
    /// <param name="kind">The type of the event.</param>
    /// <param name="method">The HTTP method.</param>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="attempt">The number of the attempt.</param>
    /// <param name="idempotencyKey">The key sent with every attempt.</param>
    /// <returns>The event, a record. Set its other properties with <c>with</c>.</returns>
    public static LogEvent LogEvent(
        LogEventKind kind,
        string method = "POST",
        string path = "/",
        int attempt = 1,
        string idempotencyKey = "") => new()
        {
            Kind = kind,
            Method = method,
            Path = path,
            Attempt = attempt,
            IdempotencyKey = idempotencyKey,
        };

    /// <summary>Returns an exception with the details of a sent request.</summary>
    private static T Sent<T>(T failure, string? idempotencyKey, int attempts)
        where T : SvcException
    {
        failure.IdempotencyKey = idempotencyKey;
        failure.Attempts = attempts;
        return failure;
    }

    private static ApiResponse ResponseOf(params (string Name, JsonNode? Value)[] fields) => ApiResponse(body: JsonOf(fields));

    /// <summary>Returns a JSON object with the fields that are not null, in the form of the service.</summary>
    private static string JsonOf(params (string Name, JsonNode? Value)[] fields)
    {
        var given = fields.Where(field => field.Value is not null);
        return new JsonObject(given.Select(field => KeyValuePair.Create(field.Name, field.Value))).ToJsonString();
    }

    private static JsonNode? NodeOf(JsonElement? element) => element is { } found ? JsonNode.Parse(found.GetRawText()) : null;
}
