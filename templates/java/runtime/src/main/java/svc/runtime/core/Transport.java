package svc.runtime.core;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.ConfigurationException;

/**
 * Sends requests. {@link #standard()} is the built-in implementation, which others can wrap, for
 * example for tracing. Tests can respond without a network by returning a {@link FixedResponse}.
 */
@FunctionalInterface
public interface Transport {
  /**
   * Returns the built-in transport, which all clients of the process share. It uses the proxies of
   * the environment and gives up on a connection that is not established within ten seconds. Its
   * connections are closed once neither a client nor the program refers to it.
   *
   * @return the transport
   */
  static Transport standard() {
    return HttpTransport.shared(HttpTransport.CONNECT_TIMEOUT);
  }

  /**
   * Returns the built-in transport with another timeout for connections.
   *
   * @param connectTimeout the time within which a connection must be established
   * @return the transport
   * @throws ConfigurationException if it is not greater than 0
   */
  static Transport standard(Duration connectTimeout) {
    return HttpTransport.shared(Checks.connectTimeout(connectTimeout));
  }

  /**
   * Returns a transport that sends requests through an HTTP client of the JDK. It uses the proxies
   * and timeouts of the client, but always HTTP/1.1.
   *
   * @param client the client; it should not follow redirects, so the API key only reaches the
   *     service, and must not have an authenticator, with which JDK 17 does not send the API key
   * @return the transport
   */
  static Transport of(HttpClient client) {
    return new HttpTransport(Objects.requireNonNull(client, "client"));
  }

  /**
   * Sends a request and returns its response, whatever its status. A failure with an {@link
   * IOException} is a connection failure and may be retried. Other exceptions end the call and are
   * thrown unchanged.
   *
   * @param request the request
   * @param bodyHandler receives the response headers and reads the body; that of a stream is read
   *     after the response is complete
   * @return the response; cancelled if the call ends first
   */
  CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler);

  /**
   * Opens a WebSocket, for following runs and for live sessions. By default, a transport does not
   * support WebSockets; {@link #standard()}, {@link #of} and {@link #withSocketsOf} do.
   *
   * @param address the address, whose scheme is {@code ws} or {@code wss}
   * @param headers the headers of the handshake
   * @param listener receives the messages
   * @return the socket; fails with a {@link WebSocketHandshakeException} if the service rejects the
   *     handshake
   */
  default CompletableFuture<WebSocket> openSocket(
      URI address, Map<String, String> headers, WebSocket.Listener listener) {
    return CompletableFuture.failedFuture(
        new ConfigurationException(
            "the transport cannot open WebSockets: combine it with another by withSocketsOf"));
  }

  /**
   * Returns a transport that sends requests like this one and opens WebSockets like another.
   *
   * @param other the other transport, such as the one that this one wraps
   * @return the transport
   */
  default Transport withSocketsOf(Transport other) {
    return new TransportWithSockets(this, Objects.requireNonNull(other, "other"));
  }
}
