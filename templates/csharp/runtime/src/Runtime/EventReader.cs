using System.Buffers;
using System.Globalization;
using System.Text;

namespace Svc.Runtime;

/// <summary>Reads an event stream (Server-Sent Events).</summary>
/// <param name="stream">The stream.</param>
/// <param name="longestSilence">The time without data after which the connection counts as lost.</param>
internal sealed class EventReader(Stream stream, TimeSpan longestSilence)
{
    /// <summary>The maximum time without data. The service sends a comment after 15 seconds without a message.</summary>
    internal static readonly TimeSpan LongestSilence = TimeSpan.FromSeconds(90);

    private readonly byte[] _buffer = new byte[16 * 1024];
    private readonly EventParser _parser = new();
    private ReadOnlyMemory<byte> _rest;

    /// <summary>The id of the last event; null if none had one.</summary>
    internal string? LastId => _parser.LastId;

    /// <summary>Whether the last event itself had an id.</summary>
    internal bool HasOwnId => _parser.HasOwnId;

    /// <summary>Returns the data of the next message, or null at the end of the stream.</summary>
    /// <exception cref="ValueException">A message is too large.</exception>
    /// <exception cref="TimeoutException">No data arrived in time.</exception>
    internal async ValueTask<byte[]?> ReadAsync(CancellationToken cancellationToken)
    {
        // Checked even if messages are buffered.
        cancellationToken.ThrowIfCancellationRequested();
        while (true)
        {
            if (_parser.Next(ref _rest) is { } data)
            {
                return data;
            }

            var count = await FillAsync(cancellationToken).ConfigureAwait(false);
            if (count == 0)
            {
                return null;
            }

            _rest = _buffer.AsMemory(0, count);
        }
    }

    /// <summary>Reads bytes into the buffer, and returns their number.</summary>
    private async ValueTask<int> FillAsync(CancellationToken cancellationToken)
    {
        using var silence = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        silence.CancelAfter(longestSilence);
        try
        {
            return await stream.ReadAsync(_buffer, silence.Token).ConfigureAwait(false);
        }
        catch (Exception) when (silence.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException(
                string.Create(CultureInfo.InvariantCulture, $"nothing arrived for {longestSilence.TotalSeconds} seconds"));
        }
    }
}

/// <summary>Parses an event stream, in chunks of any size.</summary>
internal sealed class EventParser
{
    /// <summary>The maximum size of a line and of a message in bytes, several times the limit of the service.</summary>
    internal const int LongestMessage = 64 * 1024 * 1024;

    internal const string TooLong = "a message is larger than 64 MiB";

    private const byte CarriageReturn = (byte)'\r';
    private const byte LineFeed = (byte)'\n';

    private readonly ArrayBufferWriter<byte> _line = new();
    private readonly ArrayBufferWriter<byte> _data = new();
    private bool _hasBegun;
    private bool _isAfterReturn;
    private bool _hasData;
    private bool _isMessage = true;
    private bool _hasId;
    private string? _nextId;

    /// <summary>The id of the last event; null if none had one.</summary>
    internal string? LastId { get; private set; }

    /// <summary>Whether the last event itself had an id.</summary>
    internal bool HasOwnId { get; private set; }

    /// <summary>Parses a chunk up to the end of a message and returns its data; null if the chunk completes no message.</summary>
    /// <param name="chunk">The chunk. Unparsed bytes remain in it.</param>
    /// <exception cref="ValueException">A line or a message is too large.</exception>
    internal byte[]? Next(ref ReadOnlyMemory<byte> chunk)
    {
        while (TakeLine(ref chunk))
        {
            var isComplete = _line.WrittenCount == 0;
            if (!isComplete)
            {
                TakeField(_line.WrittenSpan);
                _line.ResetWrittenCount();
            }
            else if (Complete() is { } data)
            {
                return data;
            }
        }

        return null;
    }

    /// <summary>Moves bytes from the chunk to the line, and reports whether the line is complete.</summary>
    private bool TakeLine(ref ReadOnlyMemory<byte> chunk)
    {
        // A CR ends a line; an LF that follows belongs to the same line ending.
        if (_isAfterReturn && chunk.Length > 0)
        {
            _isAfterReturn = false;
            chunk = chunk.Span[0] == LineFeed ? chunk[1..] : chunk;
        }

        var bytes = chunk.Span;
        var end = bytes.IndexOfAny(CarriageReturn, LineFeed);
        if (_line.WrittenCount + _data.WrittenCount > LongestMessage)
        {
            throw new ValueException(TooLong);
        }

        _line.Write(end < 0 ? bytes : bytes[..end]);
        _isAfterReturn |= end >= 0 && bytes[end] == CarriageReturn;
        chunk = end < 0 ? default : chunk[(end + 1)..];
        return end >= 0;
    }

    private void TakeField(ReadOnlySpan<byte> line)
    {
        if (!_hasBegun && line.StartsWith(Encoding.UTF8.Preamble))
        {
            line = line[Encoding.UTF8.Preamble.Length..];
        }

        _hasBegun = true;
        var colon = line.IndexOf((byte)':');
        var name = colon < 0 ? line : line[..colon];
        var value = colon < 0 ? [] : line[(colon + 1)..];
        value = value.StartsWith(" "u8) ? value[1..] : value;
        if (name.SequenceEqual("event"u8))
        {
            _isMessage = value.IsEmpty || value.SequenceEqual("message"u8);
        }
        else if (name.SequenceEqual("id"u8) && !value.Contains((byte)0))
        {
            _nextId = value.IsEmpty ? null : Encoding.UTF8.GetString(value);
            _hasId = !value.IsEmpty;
        }
        else if (name.SequenceEqual("data"u8))
        {
            _data.Write(_hasData ? "\n"u8 : []);
            _data.Write(value);
            _hasData = true;
        }
    }

    /// <summary>Ends an event, and returns its data if it is a message.</summary>
    private byte[]? Complete()
    {
        _hasBegun = true;
        (LastId, HasOwnId, _hasId) = (_nextId, _hasId, false);
        var data = _hasData && _isMessage ? _data.WrittenSpan.ToArray() : null;
        _data.ResetWrittenCount();
        _hasData = false;
        _isMessage = true;
        return data;
    }
}
