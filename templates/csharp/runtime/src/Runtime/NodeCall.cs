using System.Text;
using System.Text.Json;

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
            var response = await call.PostAsync(path, () => body).ConfigureAwait(false);
            return new ApiResponse<TOutput>(response, Responses.Read(output, response.Utf8, response));
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

    /// <summary>Creates a split stream.</summary>
    internal async Task<SplitStreamHandle<TInput, TOutput>> CreateStreamAsync(
        Connection connection,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var response = await CreateStreamRawAsync(connection, options, cancellationToken).ConfigureAwait(false);
        return response.Value;
    }

    /// <summary>Creates a split stream and returns the complete response.</summary>
    internal async Task<ApiResponse<SplitStreamHandle<TInput, TOutput>>> CreateStreamRawAsync(
        Connection connection,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var node = JsonEncodedText.Encode(Uri.UnescapeDataString(path[SplitStream.NodesPath.Length..]));
        var body = Encoding.UTF8.GetBytes($"{{\"node_ref\":\"{node}\"}}");
        return await connection.CallAsync($"Create{name}Stream", options, PerformAsync, null, cancellationToken)
            .ConfigureAwait(false);

        async Task<ApiResponse<SplitStreamHandle<TInput, TOutput>>> PerformAsync(LogicalCall call)
        {
            var response = await call.PostAsync(SplitStream.Path, () => body).ConfigureAwait(false);
            return new(response, StreamOf(connection, SplitStream.IdIn(response)));
        }
    }

    /// <summary>Returns a split stream by its id. Sends no request.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal SplitStreamHandle<TInput, TOutput> StreamOf(Connection connection, string id) =>
        new(connection, SplitStream.Check(id), $"{name}Stream", input, output);

    /// <summary>Opens a live session.</summary>
    internal async Task<LiveSession<TInput, TOutput>> OpenAsync(
        Connection connection,
        CallOptions? options,
        CancellationToken cancellationToken)
    {
        var socket = await LiveSocket.OpenAsync(connection, $"Open{name}", $"{path}/live", options, cancellationToken)
            .ConfigureAwait(false);
        return new LiveSession<TInput, TOutput>(socket, input, output);
    }

    private StreamRequest<TOutput> Request(Func<LogicalCall, HttpContent> content) =>
        new(name, path, output, NodeFailedException.Of) { ContentOf = content };
}
