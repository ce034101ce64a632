using System.Text;
using System.Threading.Channels;

namespace Svc.Runtime;

/// <summary>
/// An HTTP/1.1 connection that ends streamed input when its request is rejected or its response is complete. The transport reads the
/// head of a response immediately, but returns it only after the end of the input, for which a source can take any time. The body
/// received until then is buffered, so that a service that waits for its reader does not stall the input. A connection that is closed
/// before a response is an error.
/// </summary>
internal sealed class WatchedStream(Stream connection) : Stream
{
    /// <summary>
    /// The input of the latest request of a call, with a line of its head. It flows to everything that runs within the request, including
    /// other requests of the caller's handlers or of the source. The line identifies the connection that sends the input.
    /// </summary>
    private static readonly AsyncLocal<(InputLines Input, byte[] Line)?> Current = new();

    /// <summary>The position of the status in the first line of a response, such as <c>HTTP/1.1 408 Request Timeout</c>.</summary>
    private const int StatusPlace = 9;

    /// <summary>The number of bytes per read during the input.</summary>
    private const int ReadSize = 16 * 1024;

    private InputLines? _input;

    /// <summary>Whether a part of the response to the latest request has arrived.</summary>
    private bool _isAnswered;

    /// <summary>The response so far, until its effect on the input is known. Interim responses are omitted.</summary>
    private byte[] _begun = [];

    /// <summary>The bytes received during the input; null if the transport reads the connection directly.</summary>
    private Channel<byte[]>? _kept;
    private ReadOnlyMemory<byte> _rest;

    /// <summary>The bytes that end a chunked body.</summary>
    private static ReadOnlySpan<byte> EndOfChunks => "\r\n0\r\n\r\n"u8;

    /// <inheritdoc/>
    public override bool CanRead => connection.CanRead;

    /// <inheritdoc/>
    public override bool CanWrite => connection.CanWrite;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Announces the input of the next request, if it is streamed, to the connection that sends it.</summary>
    /// <param name="content">The body of the request.</param>
    /// <param name="idempotencyKey">The key of the request. Its line in the head is unique.</param>
    internal static void Announce(HttpContent? content, string idempotencyKey) =>
        Current.Value = content is InputLines input ? (input, Encoding.ASCII.GetBytes($"Idempotency-Key: {idempotencyKey}\r\n")) : null;

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_kept is { } kept)
        {
            if (!_rest.IsEmpty || await kept.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
            {
                return TakeKept(kept.Reader, buffer.Span);
            }

            _kept = null;
        }

        var count = await connection.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (count == 0 && !buffer.IsEmpty && !_isAnswered)
        {
            // Otherwise, the transport would resend a request without a body up to three times, in addition to the retries of the call.
            throw new HttpIOException(HttpRequestError.ResponseEnded, "the connection was closed");
        }

        _isAnswered |= count > 0;
        if (_input is { Ended.IsCancellationRequested: false } input)
        {
            Watch(buffer.Span[..count], input);
        }

        return count;
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => connection.Read(buffer, offset, count);

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var announced = Current.Value;
        if (_input != announced?.Input)
        {
            _input = announced is { } sent && buffer.Span.IndexOf(sent.Line) >= 0 ? sent.Input : null;
            _input?.Begin();
            _begun = [];
        }

        _isAnswered = false;
        return connection.WriteAsync(buffer, cancellationToken);
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => connection.Write(buffer, offset, count);

    /// <inheritdoc/>
    public override Task FlushAsync(CancellationToken cancellationToken) => connection.FlushAsync(cancellationToken);

    /// <inheritdoc/>
    public override void Flush() => connection.Flush();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            connection.Dispose();
        }

        base.Dispose(disposing);
    }

    /// <summary>Reports whether the head of a response announces the length of its body.</summary>
    private static bool HasLength(ReadOnlySpan<byte> head) =>
        Encoding.ASCII.GetString(head).Contains("\r\nContent-Length:", StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// Ends the input if the response is an error or complete. Otherwise, buffers the body of the response.
    /// </summary>
    private void Watch(ReadOnlySpan<byte> bytes, InputLines input)
    {
        _begun = [.. _begun, .. bytes];

        // A final response may follow interim ones.
        var end = EndOfHead(_begun);
        while (StatusClassOf(_begun) == '1' && end >= 0)
        {
            _begun = _begun[end..];
            end = EndOfHead(_begun);
        }

        switch (StatusClassOf(_begun))
        {
            case '2' when end < 0:
                break;
            case '2' when !HasLength(_begun.AsSpan(0, end)) && !_begun.AsSpan().EndsWith(EndOfChunks):
                _kept = Channel.CreateUnbounded<byte[]>();
                _ = KeepAsync(_kept.Writer, input, _begun);
                break;
            case >= '2' and <= '5':
                input.End();

                // A handler may resend the input over another connection.
                _input = null;
                break;
            default:
                break;
        }
    }

    /// <summary>Returns the position after the head of a response; -1 if the head is incomplete.</summary>
    private static int EndOfHead(ReadOnlySpan<byte> response) =>
        response.IndexOf("\r\n\r\n"u8) is >= 0 and var end ? end + 4 : -1;

    /// <summary>Reads a response until the end of the input. The end of the response also ends the input.</summary>
    private async Task KeepAsync(ChannelWriter<byte[]> kept, InputLines input, byte[] last)
    {
        try
        {
            while (!input.Ended.IsCancellationRequested)
            {
                var buffer = new byte[ReadSize];
                var count = await connection.ReadAsync(buffer).ConfigureAwait(false);
                var bytes = buffer[..count];
                last = [.. last.TakeLast(EndOfChunks.Length), .. bytes];
                if (count == 0 || last.AsSpan().EndsWith(EndOfChunks))
                {
                    input.End();
                }

                kept.TryWrite(bytes);
            }
        }
        catch (Exception)
        {
            // The transport gets the failure when it reads.
            input.End();
        }

        kept.Complete();
    }

    private int TakeKept(ChannelReader<byte[]> kept, Span<byte> buffer)
    {
        if (_rest.IsEmpty && kept.TryRead(out var bytes))
        {
            _rest = bytes;
        }

        var count = Math.Min(buffer.Length, _rest.Length);
        _rest.Span[..count].CopyTo(buffer);
        _rest = _rest[count..];
        return count;
    }

    /// <summary>Returns the first digit of the status; 0 if no response begins here.</summary>
    private static char StatusClassOf(ReadOnlySpan<byte> bytes) =>
        bytes.Length > StatusPlace && bytes.StartsWith("HTTP/1."u8) ? (char)bytes[StatusPlace] : '\0';
}
