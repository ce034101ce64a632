using System.Buffers;
using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Descriptor of a compiled flow.</summary>
internal sealed class FlowCall<TInput, TOutput>(
    string name,
    string graphId,
    Codec<TInput> input,
    Codec<TOutput> output)
{
    private const string InvokePath = "/invocations/v1/flows/invoke";
    private const string StreamPath = "/invocations/v1/flows/invoke/stream";
    private const string WarmPath = "/invocations/v1/flows/warm";

    /// <summary>
    /// Maximum seconds that a request waits for a run to end, below the idle timeout of common proxies. The client polls after
    /// that.
    /// </summary>
    private const int LongestWait = 50;

    /// <summary>Maximum timeout of a streaming flow, in seconds.</summary>
    private const int LongestRun = 24 * 60 * 60;

    /// <summary>Runs the flow and returns its output.</summary>
    internal async Task<TOutput> RunAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var response = await RunRawAsync(connection, message, options, cancellationToken).ConfigureAwait(false);
        return response.Value;
    }

    /// <summary>Runs the flow and returns its output with the complete response.</summary>
    internal async Task<ApiResponse<TOutput>> RunRawAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message, nameof(input));
        var json = input.Write(message);
        return await connection.CallAsync(name, options, RunAsync, null, cancellationToken).ConfigureAwait(false);

        Task<ApiResponse<TOutput>> RunAsync(LogicalCall call) => InvokeAsync(connection, json, call);
    }

    /// <summary>Runs a pipeline flow.</summary>
    internal StreamedOutput<TOutput> Stream(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message, nameof(input));
        var json = input.Write(message);
        var request = new StreamRequest<TOutput>(
            name,
            StreamPath,
            output,
            (reason, response) => new FlowFailedException(reason, response))
        {
            ContentOf = call => LogicalCall.JsonContent(BodyOf(json, waits: false, RunSeconds(call.TimeLeft))),
        };
        return new FrameStream<TOutput>(connection, request, options, cancellationToken);
    }

    /// <summary>Starts the flow without waiting for it to end.</summary>
    internal async Task<Execution<TOutput>> StartAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var response = await StartRawAsync(connection, message, options, cancellationToken).ConfigureAwait(false);
        return response.Value;
    }

    /// <summary>Starts the flow and returns the complete response.</summary>
    internal async Task<ApiResponse<Execution<TOutput>>> StartRawAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message, nameof(input));
        var json = input.Write(message);
        return await connection.CallAsync($"Start{name}", options, BeginAsync, null, cancellationToken)
            .ConfigureAwait(false);

        async Task<ApiResponse<Execution<TOutput>>> BeginAsync(LogicalCall call)
        {
            var response = await call.PostAsync(InvokePath, () => BodyOf(json), isRun: true)
                .ConfigureAwait(false);
            var execution = ExecutionOf(connection, Responses.ObjectOf(response), response);
            return new ApiResponse<Execution<TOutput>>(response, execution);
        }
    }

    /// <summary>Returns a handle to an earlier run by its id. Sends no request.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal Execution<TOutput> ExecutionOf(Connection connection, string id) =>
        new(connection, ExecutionId.Check(id), output);

    /// <summary>Warms up the nodes of the flow and returns the complete response.</summary>
    internal Task<ApiResponse> WarmAsync(
        Connection connection,
        CallOptions? options,
        CancellationToken cancellationToken) => connection.CallAsync(
            $"Warm{name}",
            options,
            call => call.PostAsync(WarmPath, () => BodyOf(default)),
            null,
            cancellationToken);

    /// <summary>Invokes the flow. If the response arrives before the run ends, continues to wait for the run.</summary>
    private async Task<ApiResponse<TOutput>> InvokeAsync(
        Connection connection,
        ReadOnlyMemory<byte> json,
        LogicalCall call)
    {
        // A proxy that cut off a slow response may do so again, so retries do not ask the service to wait.
        var response = await call
            .PostAsync(InvokePath, () => call.IsFailing ? BodyOf(json) : WaitingBodyOf(json, call.AttemptTimeLeft), isRun: true)
            .ConfigureAwait(false);
        var fields = Responses.ObjectOf(response);
        var execution = ExecutionOf(connection, fields, response);
        var status = Responses.TextOf(fields, "execution_status");
        if (Responses.Find(fields, "result") is { ValueKind: JsonValueKind.Object } result)
        {
            if (Responses.Find(result, "success") is not { ValueKind: JsonValueKind.True })
            {
                var reason = Responses.TextOf(result, "error_message");
                throw execution.Failed(reason, response, status is null ? default(ExecutionStatus?) : new ExecutionStatus(status));
            }

            return execution.Read(Responses.Find(result, "output") ?? default, response);
        }

        if (status == "PAUSED")
        {
            throw new FlowPausedException(execution.Id, Responses.RequiredText(fields, "pause_id", response), response);
        }

        return await execution.WaitAsync(call).ConfigureAwait(false);
    }

    private Execution<TOutput> ExecutionOf(Connection connection, JsonElement fields, ApiResponse response) =>
        new(connection, ExecutionId.In(fields, response), output);

    /// <summary>
    /// Asks the service to wait for a number of whole seconds, and reserves one for the response to arrive. With less than two seconds
    /// left, the service is not asked to wait and returns the run immediately.
    /// </summary>
    private ReadOnlyMemory<byte> WaitingBodyOf(ReadOnlyMemory<byte> json, TimeSpan left)
    {
        var seconds = (int)Math.Min(Math.Floor(left.TotalSeconds) - 1, LongestWait);
        return seconds < 1 ? BodyOf(json) : BodyOf(json, waits: true, seconds);
    }

    private ReadOnlyMemory<byte> BodyOf(ReadOnlyMemory<byte> json, bool waits = false, int? seconds = null)
    {
        var buffer = new ArrayBufferWriter<byte>(json.Length + 128);
        using var writer = new Utf8JsonWriter(buffer);
        writer.WriteStartObject();
        writer.WriteString("graph_id", graphId);
        if (!json.IsEmpty)
        {
            writer.WritePropertyName("input");
            writer.WriteRawValue(json.Span, skipInputValidation: true);
        }

        if (waits)
        {
            writer.WriteBoolean("wait", true);
        }

        if (seconds is { } timeout)
        {
            writer.WriteNumber("timeout_seconds", timeout);
        }

        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    /// <summary>Rounds up, so that the service does not time out before the SDK.</summary>
    private static int RunSeconds(TimeSpan left) => (int)Math.Clamp(Math.Ceiling(left.TotalSeconds), 1, LongestRun);
}
