namespace Svc.Runtime;

/// <summary>
/// A handle to a split stream, whose input and output are separate requests: one upload, and any number of readers, even in other
/// processes. The stream is available for ten minutes.
/// </summary>
/// <typeparam name="TInput">The input of the node.</typeparam>
/// <typeparam name="TOutput">The output of the node.</typeparam>
public class SplitStreamHandle<TInput, TOutput>
{
    private readonly Connection? _connection;
    private readonly string _operation;
    private readonly Codec<TInput> _input;
    private readonly Codec<TOutput> _output;

    internal SplitStreamHandle(
        Connection connection,
        string id,
        string operation,
        Codec<TInput> input,
        Codec<TOutput> output)
    {
        _connection = connection;
        _operation = operation;
        _input = input;
        _output = output;
        Id = id;
    }

    /// <summary>
    /// Creates a handle to mock. Its members are virtual; those that are not overridden throw a <see cref="NotSupportedException"/>.
    /// </summary>
    protected SplitStreamHandle()
    {
        _operation = "";
        _input = null!;
        _output = null!;
        Id = "";
    }

    /// <summary>The id of the stream. Any process can create a handle from it.</summary>
    public virtual string Id { get; }

    /// <summary>
    /// Sends messages as they are read, and completes when the node has ended and its output is stored. The output shows whether the
    /// node succeeded. A stream accepts one upload, which is not retried.
    /// </summary>
    /// <param name="inputs">The messages, read once. Its exceptions end the upload and propagate to the caller.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the upload, which ends the input of the node.</param>
    /// <returns>The upload.</returns>
    /// <exception cref="StatusException">The stream already has an upload: status 409.</exception>
    /// <exception cref="StreamInterruptedException">The service did not receive all messages of the source.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual async Task<SplitUpload> UploadAsync(
        IAsyncEnumerable<TInput> inputs,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        return await Connection.Of(_connection).CallAsync(
            $"{_operation}.Upload",
            options,
            SendAsync,
            null,
            cancellationToken,
            Settings.UsualStreamTimeout).ConfigureAwait(false);

        async Task<SplitUpload> SendAsync(LogicalCall call)
        {
            using var lines = new InputLines<TInput>(_input, inputs);
            var request = new Outgoing(HttpMethod.Post, $"{SplitStream.Path}/{Id}/input", () => lines) { IsRun = true };
            return SplitUpload.Read(await call.UploadAsync(request, lines).ConfigureAwait(false), lines);
        }
    }

    /// <summary>Sends the messages of a sequence. Otherwise, it works like the method for asynchronous sequences.</summary>
    /// <param name="inputs">The messages, read once, on a thread pool thread.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the upload, which ends the input of the node.</param>
    /// <returns>The upload.</returns>
    /// <exception cref="StatusException">The stream already has an upload: status 409.</exception>
    /// <exception cref="StreamInterruptedException">The service did not receive all messages of the source.</exception>
    /// <exception cref="SvcException">The call failed.</exception>
    public virtual Task<SplitUpload> UploadAsync(
        IEnumerable<TInput> inputs,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        return UploadAsync(InputLines.SourceOf(inputs, CancellationToken.None), options, cancellationToken);
    }

    /// <summary>
    /// Returns the output as it is stored, from its beginning or after an event, up to its last message. A lost connection is
    /// re-established, unless the last message had no id. Up to eight consecutive reconnects, or <see cref="CallOptions.MaxRetries"/> if
    /// that is more, may bring no new message; 0 disables reconnects. Leaving the loop closes the connection, not the stream.
    /// </summary>
    /// <param name="after">
    /// The <see cref="StreamedOutput{T}.LastEventId"/> of an earlier reader, to resume after it; from the beginning by default.
    /// </param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <returns>The output. The request is sent when it is read.</returns>
    /// <exception cref="ArgumentException">The id of the event is malformed.</exception>
    public virtual StreamedOutput<TOutput> ReadOutputAsync(
        string? after = null,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        SplitStream.CheckEvent(after);
        var request = new StreamRequest<TOutput>(
            $"{_operation}.Output",
            $"{SplitStream.Path}/{Id}/output",
            _output,
            NodeFailedException.Of)
        {
            IsStored = true,
            After = after,
        };
        return new FrameStream<TOutput>(Connection.Of(_connection), request, options, cancellationToken);
    }

    /// <summary>Shows the id of the stream.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"stream {Id}";
}
