namespace Svc.Runtime;

/// <summary>An event stream response, whose body is read as it arrives.</summary>
internal sealed class OpenStream
{
    /// <summary>The maximum number of reads of an abandoned response before it is disposed of as it is.</summary>
    private const int MostReads = 64;

    private HttpRequestMessage? _request;
    private HttpResponseMessage? _response;
    private Stream? _body;

    /// <summary>The events; null until a response with events has arrived.</summary>
    internal EventReader? Events { get; private set; }

    /// <summary>Reports whether a response is an event stream.</summary>
    internal static bool Fits(HttpResponseMessage response) =>
        response.IsSuccessStatusCode
        && "text/event-stream".Equals(response.Content.Headers.ContentType?.MediaType, StringComparison.OrdinalIgnoreCase);

    /// <summary>Takes over a response and its request.</summary>
    internal async Task TakeAsync(HttpRequestMessage request, HttpResponseMessage response)
    {
        _body = await response.Content.ReadAsStreamAsync().ConfigureAwait(false);
        _request = request;
        _response = response;
        Events = new EventReader(_body, EventReader.LongestSilence);
    }

    /// <summary>Closes the response.</summary>
    /// <param name="isAtEnd">Whether its last frame was read, so that the connection can be reused.</param>
    internal async Task CloseAsync(bool isAtEnd)
    {
        if (_body is not null && !isAtEnd)
        {
            await AbortAsync(_body).ConfigureAwait(false);
        }

        _response?.Dispose();
        _request?.Dispose();
    }

    /// <summary>
    /// Closes the connection by cancelling a read. If the response were only disposed of, the transport would drain it for some time to
    /// reuse the connection, and the service would not notice that the stream was closed.
    /// </summary>
    private static async Task AbortAsync(Stream body)
    {
        using var source = new CancellationTokenSource();
        var buffer = new byte[16 * 1024];
        try
        {
            for (var reads = 0; reads < MostReads && !source.IsCancellationRequested; reads++)
            {
                var read = body.ReadAsync(buffer, source.Token);
                if (!read.IsCompleted)
                {
                    await source.CancelAsync().ConfigureAwait(false);
                }

                if (await read.ConfigureAwait(false) == 0)
                {
                    return;
                }
            }
        }
        catch (Exception)
        {
            // The connection is already closed. The body of a custom handler can throw anything.
        }
    }
}
