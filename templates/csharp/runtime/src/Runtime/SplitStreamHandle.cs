namespace Svc.Runtime;

/// <summary>
/// A handle to a split stream, whose input and output travel in requests of their own: one upload, and any number of readers,
/// even in other processes. The stream is available for ten minutes.
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

    /// <summary>The id of the stream, from which any process gets a handle.</summary>
    public virtual string Id { get; }

    /// <summary>
    /// Sends messages as they are read, and completes when the node has ended and its output is stored. Whether the node
    /// succeeded is in the output. A stream takes one upload, which is sent once.
    /// </summary>
    /// <param name="inputs">The messages, read once. An exception ends the upload, and is the exception of the call.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the upload, which ends the input of the node.</param>
    /// <returns>The upload.</returns>
    /// <exception cref="StatusException">The stream has an upload: status 409.</exception>
    /// <exception cref="StreamInterruptedException">The service did not receive all messages, or the source has more.</exception>
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

    /// <summary>Sends the messages of a sequence. Otherwise like the method for asynchronous sequences.</summary>
    /// <param name="inputs">The messages, read once, on a thread of the pool.</param>
    /// <param name="options">Options of this call.</param>
    /// <param name="cancellationToken">Cancels the upload, which ends the input of the node.</param>
    /// <returns>The upload.</returns>
    /// <exception cref="StatusException">The stream has an upload: status 409.</exception>
    /// <exception cref="StreamInterruptedException">The service did not receive all messages, or the source has more.</exception>
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
    /// Returns the output as it is stored, from its beginning or behind an event, until its last message. A lost connection is
    /// re-established, at most <see cref="CallOptions.MaxRetries"/> times in a row without a new message, but at least eight times
    /// unless that is 0. After a message without an id, it is not re-established. Leaving the loop closes the connection, not the
    /// stream.
    /// </summary>
    /// <param name="after">
    /// The <see cref="StreamedOutput{T}.LastEventId"/> of an earlier reader, to read on behind it; from the beginning by default.
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
