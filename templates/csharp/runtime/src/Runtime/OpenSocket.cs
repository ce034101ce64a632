using System.Buffers;
using System.Net;
using System.Net.WebSockets;
using System.Runtime.ExceptionServices;

namespace Svc.Runtime;

/// <summary>A WebSocket to the service, opened by the HTTP client of the caller.</summary>
internal sealed class OpenSocket : IAsyncDisposable
{
    private const int ReadSize = 16 * 1024;

    /// <summary>The maximum time to send a close frame.</summary>
    private static readonly TimeSpan LongestFarewell = TimeSpan.FromSeconds(1);

    private readonly ClientWebSocket _socket = new();

    /// <summary>The token of the pending send, or of the send whose cancellation closed the connection.</summary>
    private CancellationToken _tokenOfSending;

    /// <summary>Whether the service closed the socket normally.</summary>
    internal bool IsCompleted => _socket.CloseStatus == WebSocketCloseStatus.NormalClosure;

    /// <summary>
    /// Whether a send was cancelled in progress, which closes the connection. A pending read is then aborted, or ends as if the service
    /// had closed the connection.
    /// </summary>
    internal bool IsSendingCancelled => _tokenOfSending.IsCancellationRequested;

    /// <summary>Reports whether a response opens a WebSocket.</summary>
    internal static bool Fits(HttpResponseMessage response) => response.StatusCode == HttpStatusCode.SwitchingProtocols;

    /// <summary>Sends the handshake and returns its response. The socket is open if the response <see cref="Fits"/>.</summary>
    /// <param name="connection">The connection to the service.</param>
    /// <param name="request">The address and headers, apart from those of the handshake.</param>
    /// <param name="token">Cancels it.</param>
    internal async Task<HttpResponseMessage> ConnectAsync(Connection connection, HttpRequestMessage request, CancellationToken token)
    {
        if (connection.FindsDeadConnections)
        {
            // Disables WebSocket keep-alive frames: unacknowledged data would suspend TCP keep-alive probes.
            _socket.Options.KeepAliveInterval = TimeSpan.Zero;
        }

        using var handshake = new Handshake(connection.HttpClient, request);
        using var invoker = new HttpMessageInvoker(handshake, disposeHandler: false);
        var address = new UriBuilder(request.RequestUri!) { Scheme = request.RequestUri!.Scheme == "https" ? "wss" : "ws" };
        try
        {
            await _socket.ConnectAsync(address.Uri, invoker, token).ConfigureAwait(false);
        }
        catch (WebSocketException) when (handshake.Response is { } refusal && !Fits(refusal))
        {
            // The response gives the reason.
        }
        catch (WebSocketException) when (handshake.Failure is { } failure)
        {
            failure.Throw();
        }

        return handshake.Response!;
    }

    /// <summary>Reads a message; null if the service closed the socket.</summary>
    /// <param name="head">The response that opened the socket.</param>
    /// <param name="token">Cancels it.</param>
    /// <exception cref="WebSocketException">The connection was lost.</exception>
    /// <exception cref="InvalidResponseException">The message is too large.</exception>
    internal async Task<byte[]?> ReadAsync(ApiResponse head, CancellationToken token)
    {
        var message = new ArrayBufferWriter<byte>();
        while (true)
        {
            var part = await _socket.ReceiveAsync(message.GetMemory(ReadSize), token).ConfigureAwait(false);
            if (part.MessageType == WebSocketMessageType.Close)
            {
                return null;
            }

            message.Advance(part.Count);
            if (message.WrittenCount > EventParser.LongestMessage)
            {
                throw Responses.Invalid(head, EventParser.TooLong);
            }

            if (part.EndOfMessage)
            {
                return message.WrittenSpan.ToArray();
            }
        }
    }

    /// <summary>Sends a message. Only one send may be pending.</summary>
    /// <exception cref="WebSocketException">The connection was lost.</exception>
    internal async ValueTask SendAsync(ReadOnlyMemory<byte> text, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        _tokenOfSending = IsSendingCancelled ? _tokenOfSending : token;
        try
        {
            await _socket.SendAsync(text, WebSocketMessageType.Text, endOfMessage: true, token).ConfigureAwait(false);
        }
        catch when (!IsSendingCancelled)
        {
            _tokenOfSending = default;
            throw;
        }

        _tokenOfSending = default;
    }

    /// <summary>Returns the exception for a socket that the service closed early, with its close code and reason.</summary>
    internal StreamInterruptedException InterruptionOf(ApiResponse head)
    {
        var code = (int)(_socket.CloseStatus ?? WebSocketCloseStatus.Empty);
        var reason = _socket.CloseStatusDescription is { Length: > 0 } description ? $": {description}"
            : _socket.CloseStatus == WebSocketCloseStatus.MessageTooBig ? ": a message is too large"
            : "";
        return new StreamInterruptedException($"the service closed the socket with {code}{reason}", head);
    }

    /// <summary>Closes the socket, and its connection.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
        {
            using var source = new CancellationTokenSource(LongestFarewell);
            try
            {
                await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, source.Token).ConfigureAwait(false);
            }
            catch (Exception problem) when (problem is WebSocketException or OperationCanceledException or IOException or ObjectDisposedException)
            {
                // The connection is already closed.
            }
        }

        _socket.Dispose();
    }

    /// <summary>
    /// Sends the handshake of a socket with the HTTP client of the caller, including its proxy and certificates, and keeps the
    /// response, which the socket would dispose of unread.
    /// </summary>
    private sealed class Handshake(HttpClient client, HttpRequestMessage headers) : HttpMessageHandler
    {
        internal HttpResponseMessage? Response { get; private set; }

        /// <summary>The exception of the HTTP client, if any.</summary>
        internal ExceptionDispatchInfo? Failure { get; private set; }

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            foreach (var (name, values) in headers.Headers.NonValidated)
            {
                if (!request.Headers.NonValidated.Contains(name))
                {
                    request.Headers.TryAddWithoutValidation(name, values);
                }
            }

            try
            {
                Response = await client
                    .SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken)
                    .ConfigureAwait(false);
            }
            catch (Exception problem)
            {
                Failure = ExceptionDispatchInfo.Capture(problem);
                throw;
            }

            return Fits(Response) ? Response : new HttpResponseMessage(Response.StatusCode);
        }
    }
}
