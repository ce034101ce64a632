using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Svc.Runtime;

/// <summary>Streamed input: a request body with a line of JSON per message of a source, which is read once.</summary>
internal abstract class InputLines : HttpContent
{
    private CancellationTokenSource _ending = new();
    private volatile bool _isComplete;

    private protected InputLines() => Headers.ContentType = new MediaTypeHeaderValue("application/x-ndjson");

    /// <summary>The number of messages read from the source.</summary>
    internal long Count { get; private protected set; }

    /// <summary>The exception of the source or of an invalid message, if any.</summary>
    internal ExceptionDispatchInfo? Failure { get; private protected set; }

    /// <summary>Cancelled when the request ends, which may be before the end of the input.</summary>
    internal CancellationToken Ended => _ending.Token;

    /// <summary>Whether a request has started to send the input.</summary>
    private protected bool IsSent { get; set; }

    /// <summary>Whether the source has ended after its last message.</summary>
    private protected bool IsComplete { get => _isComplete; set => _isComplete = value; }

    /// <summary>Starts a request with the input. It takes over from an earlier request that was rejected before its input.</summary>
    internal void Begin()
    {
        if (!IsSent && Ended.IsCancellationRequested)
        {
            _ending = new CancellationTokenSource();
        }
    }

    /// <summary>Ends the input, because the request was rejected or has ended. Does not wait for the source.</summary>
    internal void End() => _ = _ending.CancelAsync();

    /// <summary>Checks that the service received the complete input, and returns the number of its messages.</summary>
    /// <param name="received">The number of messages that arrived, as JSON; empty if the service did not send it.</param>
    /// <param name="response">The response.</param>
    internal long CheckArrival(string received, ApiResponse response)
    {
        Failure?.Throw();

        // The order matters: the number is final only once the input is complete.
        var isComplete = IsComplete;
        var sent = Count;
        if (received != sent.ToString(CultureInfo.InvariantCulture))
        {
            var number = received.Length == 0 ? "an unknown number" : received;
            throw new StreamInterruptedException($"the service received {number} of {sent} input messages", response);
        }

        return isComplete
            ? sent
            : throw new StreamInterruptedException("the service ended the request before the input had ended", response);
    }

    /// <summary>Encodes a message. The exception for an invalid message contains its index.</summary>
    /// <param name="codec">Encodes it.</param>
    /// <param name="message">The message.</param>
    /// <param name="place">The number of messages before it.</param>
    internal static ReadOnlyMemory<byte> JsonOf<T>(Codec<T> codec, T message, long place)
    {
        try
        {
            return codec.Write(message ?? throw new ValueException($"{codec.Name}: expected a message, got null"));
        }
        catch (ValueException problem)
        {
            throw new ValueException($"input message {place}: {problem.Message}", problem);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // HTTP/2 continues to send the input after the end of the response.
        End();
        base.Dispose(disposing);
    }

    /// <summary>Adapts a sequence.</summary>
    internal static async IAsyncEnumerable<T> SourceOf<T>(
        IEnumerable<T> inputs,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using var source = inputs.GetEnumerator();
        while (true)
        {
            // A sequence can block, so neither the caller's thread nor the end of the call waits for it.
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            cancellationToken.ThrowIfCancellationRequested();
            if (!source.MoveNext())
            {
                yield break;
            }

            yield return source.Current;
        }
    }
}

/// <summary>Streamed input of one type.</summary>
internal sealed class InputLines<T>(Codec<T> codec, IAsyncEnumerable<T> inputs) : InputLines
{
    /// <summary>The last step of the source that did not complete synchronously.</summary>
    private Task? _pending;

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override async Task SerializeToStreamAsync(
        Stream stream,
        TransportContext? context,
        CancellationToken cancellationToken)
    {
        try
        {
            await SendAsync(stream, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            End();
        }
    }

    private async Task SendAsync(Stream stream, CancellationToken cancellationToken)
    {
        if (IsSent)
        {
            // A handler or a transport may retry on its own, but messages can be read only once.
            throw new ConnectionException(
                "the HTTP client sent the request again, but its streamed input can be sent only once; "
                + "if a handler renews tokens, let it do so before the upload");
        }

        IsSent = true;
        // Disposed together with the source, which can outlive the request.
        var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, Ended);
        var source = await AskAsync(
            () => new ValueTask<IAsyncEnumerator<T>>(inputs.GetAsyncEnumerator(either.Token)),
            cancellationToken).ConfigureAwait(false);
        try
        {
            while (await AskAsync(() => NextLineAsync(source, either.Token), cancellationToken).ConfigureAwait(false) is { } line)
            {
                await stream.WriteAsync(line, cancellationToken).ConfigureAwait(false);
                await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            var release = ReleaseAsync(source, either);
            if (_pending is null or { IsCompleted: true })
            {
                await AskAsync(() => new ValueTask<bool>(release), cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Calls the source and records failures, except for cancellation.</summary>
    private async ValueTask<TResult> AskAsync<TResult>(Func<ValueTask<TResult>> ask, CancellationToken cancellationToken)
    {
        try
        {
            return await ask().ConfigureAwait(false);
        }
        catch (Exception problem) when (!cancellationToken.IsCancellationRequested)
        {
            Failure ??= ExceptionDispatchInfo.Capture(problem);
            throw;
        }
    }

    /// <summary>Returns the line of the next message, or null at the end.</summary>
    private async ValueTask<byte[]?> NextLineAsync(IAsyncEnumerator<T> source, CancellationToken either) =>
        await MoveAsync(source, either).ConfigureAwait(false) ? LineOf(source.Current) : null;

    /// <summary>Advances the source, unless the request has ended. Its end and cancellation do not wait for the source.</summary>
    private async ValueTask<bool> MoveAsync(IAsyncEnumerator<T> source, CancellationToken either)
    {
        if (Ended.IsCancellationRequested)
        {
            return false;
        }

        try
        {
            var hasNext = await StepAsync(source, either).ConfigureAwait(false);

            // A source may end because its token was cancelled.
            IsComplete = !hasNext && !Ended.IsCancellationRequested;
            return hasNext;
        }
        catch (Exception) when (Ended.IsCancellationRequested)
        {
            // The response gives the reason.
            return false;
        }
    }

    private ValueTask<bool> StepAsync(IAsyncEnumerator<T> source, CancellationToken either)
    {
        var step = source.MoveNextAsync();
        if (step.IsCompleted)
        {
            return step;
        }

        var task = step.AsTask();
        _pending = task;
        return new ValueTask<bool>(task.WaitAsync(either));
    }

    private byte[] LineOf(T message)
    {
        var json = JsonOf(codec, message, Count);
        Count++;
        return [.. json.Span, (byte)'\n'];
    }

    /// <summary>Disposes of the source after its pending step.</summary>
    private async Task<bool> ReleaseAsync(IAsyncEnumerator<T> source, CancellationTokenSource token)
    {
        if (_pending is { } pending)
        {
            await pending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await source.DisposeAsync().ConfigureAwait(false);
        token.Dispose();
        return true;
    }
}
