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
}
