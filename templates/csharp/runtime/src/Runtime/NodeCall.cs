namespace Svc.Runtime;

/// <summary>Descriptor of a node.</summary>
internal sealed class NodeCall<TInput, TOutput>(string name, string path, Codec<TInput> input, Codec<TOutput> output)
{
    /// <summary>Calls the node.</summary>
    internal async Task<TOutput> CallAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var response = await CallRawAsync(connection, message, options, cancellationToken).ConfigureAwait(false);
        return response.Value;
    }

    /// <summary>Calls the node and returns the complete response.</summary>
    internal async Task<ApiResponse<TOutput>> CallRawAsync(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message, nameof(input));
        var body = input.Write(message);
        return await connection.CallAsync(name, options, PerformAsync, null, cancellationToken).ConfigureAwait(false);

        async Task<ApiResponse<TOutput>> PerformAsync(LogicalCall call)
        {
            var answer = await call.PostAsync(path, () => body).ConfigureAwait(false);
            return new ApiResponse<TOutput>(answer, Answers.Read(output, answer.Utf8, answer));
        }
    }

    /// <summary>Calls a pipeline node with one message.</summary>
    internal StreamedOutput<TOutput> Stream(
        Connection connection,
        TInput message,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message, nameof(input));
        var body = input.Write(message);
        return new FrameStream<TOutput>(connection, Request(_ => LogicalCall.JsonContent(body)), options, cancellationToken);
    }

    /// <summary>Calls a pipeline node with the messages of a source.</summary>
    internal StreamedOutput<TOutput> Upload(
        Connection connection,
        IAsyncEnumerable<TInput> inputs,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        var lines = new InputLines<TInput>(input, inputs);
        return new FrameStream<TOutput>(connection, Request(_ => lines) with { Inputs = lines }, options, cancellationToken);
    }

    /// <summary>Calls a pipeline node with the messages of a sequence.</summary>
    internal StreamedOutput<TOutput> Upload(
        Connection connection,
        IEnumerable<TInput> inputs,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        return Upload(connection, InputLines.SourceOf(inputs, CancellationToken.None), options, cancellationToken);
    }

    private StreamRequest<TOutput> Request(Func<LogicalCall, HttpContent> content) =>
        new(name, path, content, output, (reason, answer) => new NodeFailedException(reason, answer));
}
