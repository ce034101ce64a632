using System.Text;

namespace Svc.Runtime;

/// <summary>
/// Creates what a mocked client returns and throws, in tests of programs that use it. The members of clients, of
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
    public static ApiResponse<T> Response<T>(
        T value,
        int status = 200,
        string body = "",
        IReadOnlyDictionary<string, string>? headers = null) => new(Response(status, body, headers), value);

    /// <summary>Creates a response with an empty body and no headers.</summary>
    /// <param name="status">The HTTP status code.</param>
    /// <returns>The response.</returns>
    public static ApiResponse Response(int status) => Response(status, "");

    /// <summary>Creates a response.</summary>
    /// <param name="status">The HTTP status code.</param>
    /// <param name="body">The body.</param>
    /// <param name="headers">The headers.</param>
    /// <returns>The response.</returns>
    public static ApiResponse Response(
        int status = 200,
        string body = "",
        IReadOnlyDictionary<string, string>? headers = null)
    {
        ArgumentNullException.ThrowIfNull(body);
        var own = new Dictionary<string, string>(headers ?? new Dictionary<string, string>(), StringComparer.OrdinalIgnoreCase);
        return new ApiResponse(status, own, Encoding.UTF8.GetBytes(body));
    }

    /// <summary>Creates the exception that a client throws for an error status.</summary>
    /// <param name="status">The HTTP status code.</param>
    /// <param name="body">The body, such as <c>{"error":"quota_exceeded"}</c>.</param>
    /// <param name="headers">The headers.</param>
    /// <returns>The exception, of the type for the status; for 422, that of a node that fails.</returns>
    public static StatusException Failure(
        int status,
        string body = "",
        IReadOnlyDictionary<string, string>? headers = null) => Responses.FailureOf(Response(status, body, headers));

    /// <summary>Creates the exception for an option that is missing or malformed.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The exception.</returns>
    public static ConfigurationException Misconfigured(string message) => new(message);

    /// <summary>Creates the exception for a successful response that is not valid.</summary>
    /// <param name="message">The message.</param>
    /// <param name="response">The response, if there is one.</param>
    /// <returns>The exception.</returns>
    public static InvalidResponseException InvalidResponse(string message, ApiResponse? response = null) => new(message, response);

    /// <summary>Creates the exception for a message that is not valid.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The exception.</returns>
    public static ValueException InvalidValue(string message) => new(message);

    /// <summary>Creates the exception of a call whose idempotency key belongs to an earlier request.</summary>
    /// <param name="executionId">The id of the earlier request's run.</param>
    /// <param name="differences">In what the earlier request differs: <c>graph_id</c>, <c>input</c> or <c>execution_id</c>.</param>
    /// <returns>The exception.</returns>
    public static IdempotencyMismatchException IdempotencyMismatch(string executionId, params string[] differences)
    {
        var headers = new Dictionary<string, string>
        {
            [Responses.MismatchHeader] = differences is { Length: > 0 } ? string.Join(", ", differences) : "input",
            ["X-Execution-Id"] = executionId,
        };
        return Responses.MismatchOf(Response(202, "", headers))!;
    }

    /// <summary>Creates the exception of a service that is unreachable.</summary>
    /// <returns>The exception.</returns>
    public static ConnectionException Unreachable() => new("cannot reach the service");

    /// <summary>Creates the exception of a response that is cut off.</summary>
    /// <param name="response">What was received of the response.</param>
    /// <returns>The exception.</returns>
    public static InterruptedResponseException InterruptedResponse(ApiResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        return new("the connection was lost while reading the response", response, null);
    }

    /// <summary>Creates the exception of a run that failed.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="reason">The reason.</param>
    /// <returns>The exception.</returns>
    public static FlowFailedException FlowFailed(string executionId, string reason) =>
        new($"{reason} (execution {executionId})") { ExecutionId = executionId };

    /// <summary>Creates the exception of a call that does not complete in time.</summary>
    /// <param name="executionId">The id of the execution, if it is known.</param>
    /// <returns>The exception.</returns>
    public static CallTimeoutException CallTimeout(string? executionId = null) =>
        new("the call did not complete within its timeout") { ExecutionId = executionId };

    /// <summary>Creates the exception of a stream that is cut off.</summary>
    /// <param name="executionId">The id of the execution, if it is known.</param>
    /// <returns>The exception.</returns>
    public static StreamInterruptedException StreamInterrupted(string? executionId = null) =>
        new("the stream was cut off") { ExecutionId = executionId };

    /// <summary>Creates the exception of a wait that ends before the execution does.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <returns>The exception.</returns>
    public static WaitTimeoutException WaitTimeout(string executionId) => WaitTimeoutException.Of(executionId);

    /// <summary>Creates the exception of a run that waits for a decision.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="pauseId">The id of the pause.</param>
    /// <returns>The exception.</returns>
    public static FlowPausedException Paused(string executionId, string pauseId) => FlowPausedException.Of(executionId, pauseId);

    /// <summary>Creates a stream. It fails if its messages do, for example with a <see cref="StreamInterruptedException"/>.</summary>
    /// <typeparam name="T">The type of the messages.</typeparam>
    /// <param name="outputs">The messages.</param>
    /// <param name="response">The response, by default an empty one.</param>
    /// <returns>The stream.</returns>
    public static StreamedOutput<T> Streamed<T>(IEnumerable<T> outputs, ApiResponse? response = null)
    {
        ArgumentNullException.ThrowIfNull(outputs);
        return Streamed(FakeStream.SourceOf(outputs), response);
    }

    /// <summary>
    /// Creates a stream whose messages take their time, as those of the service do. The source is cancelled with the stream.
    /// </summary>
    /// <typeparam name="T">The type of the messages.</typeparam>
    /// <param name="outputs">The messages.</param>
    /// <param name="response">The response, by default an empty one.</param>
    /// <returns>The stream.</returns>
    public static StreamedOutput<T> Streamed<T>(IAsyncEnumerable<T> outputs, ApiResponse? response = null)
    {
        ArgumentNullException.ThrowIfNull(outputs);
        return new FakeStream<T>(outputs, response ?? Response());
    }

    /// <summary>Creates a complete upload to a split stream.</summary>
    /// <param name="executionId">The id of the execution.</param>
    /// <param name="inputFrames">The number of messages.</param>
    /// <returns>The upload.</returns>
    public static SplitUpload Upload(string? executionId, long inputFrames) => new(executionId, inputFrames);

    /// <summary>Creates the record of an execution.</summary>
    /// <param name="json">
    /// The JSON that the service sends, such as
    /// <c>{"execution_id":"0123456789abcdef0123456789abcdef","status":"FAILED","error_message":"out of stock"}</c>.
    /// </param>
    /// <returns>The record.</returns>
    /// <exception cref="InvalidResponseException">The JSON is not that of a record.</exception>
    public static ExecutionRecord Record(string json) => ExecutionRecord.Read(Response(body: json));

    /// <summary>Creates a pause of an execution.</summary>
    /// <param name="json">
    /// The JSON that the service sends, such as
    /// <c>{"pause_id":"p-1","execution_id":"0123456789abcdef0123456789abcdef","status":"WAITING","interrupt_payload":{}}</c>.
    /// </param>
    /// <returns>The pause.</returns>
    /// <exception cref="InvalidResponseException">The JSON is not that of a pause.</exception>
    public static Pause PauseRecord(string json)
    {
        var response = Response(body: json);
        return new Pause(Responses.ObjectOf(response), response);
    }

    /// <summary>Creates the response to a decision.</summary>
    /// <param name="json">
    /// The JSON that the service sends, such as
    /// <c>{"pause_id":"p-1","status":"RESUMED","resume_value":{"approved":true},"already_resumed":false}</c>.
    /// </param>
    /// <returns>The response.</returns>
    /// <exception cref="InvalidResponseException">The JSON is not that of a response.</exception>
    public static ResumedPause Resumption(string json) => ResumedPause.Read(Response(body: json));

    /// <summary>Creates an event of an execution.</summary>
    /// <param name="json">
    /// The JSON that the service sends, such as
    /// <c>{"type":"NODE_FAILED","event_ulid":"01A","node_name":"price","error":"out of stock"}</c>.
    /// </param>
    /// <returns>The event.</returns>
    /// <exception cref="InvalidResponseException">The JSON is not an object.</exception>
    public static ExecutionEvent Event(string json) => new(Responses.ObjectOf(Response(body: json)));

    /// <summary>Creates an event of a call, for the test of a logger.</summary>
    /// <param name="kind">The type of the event.</param>
    /// <param name="method">The HTTP method.</param>
    /// <param name="path">The path relative to the base URL.</param>
    /// <param name="attempt">The number of the attempt.</param>
    /// <param name="idempotencyKey">The key sent with every attempt.</param>
    /// <returns>The event, a record whose other properties are set with <c>with</c>.</returns>
    public static LogEvent Logged(
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
}
