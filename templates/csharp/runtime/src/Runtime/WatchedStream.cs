namespace Svc.Runtime;

/// <summary>
/// A connection of HTTP/1.1 that ends streamed input when its request is refused. The transport reads such a refusal at once, but
/// returns it after the end of the input, for which a source can take any time.
/// </summary>
internal sealed class WatchedStream(Stream connection) : Stream
{
    private static readonly AsyncLocal<InputLines?> Current = new();

    /// <summary>The place of the status in the first line of a response, such as <c>HTTP/1.1 408 Request Timeout</c>.</summary>
    private const int StatusPlace = 9;

    private InputLines? _input;

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

    /// <summary>Names the input of the request that is sent next, if it is streamed, to the connection that sends it.</summary>
    internal static void Announce(HttpContent? content) => Current.Value = content as InputLines;

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await connection.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (_input is { } input && IsRefusal(buffer.Span[..count]))
        {
            input.End();
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
        _input = Current.Value;
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

    /// <summary>Reports whether a response begins here that is a refusal, perhaps after an interim one.</summary>
    private static bool IsRefusal(ReadOnlySpan<byte> bytes)
    {
        while (StatusClassOf(bytes) == '1' && bytes.IndexOf("\r\n\r\n"u8) is >= 0 and var end)
        {
            bytes = bytes[(end + 4)..];
        }

        return StatusClassOf(bytes) is >= '3' and <= '5';
    }

    /// <summary>Returns the first digit of the status; 0 if no response begins here.</summary>
    private static char StatusClassOf(ReadOnlySpan<byte> bytes) =>
        bytes.Length > StatusPlace && bytes.StartsWith("HTTP/1."u8) ? (char)bytes[StatusPlace] : '\0';
}
