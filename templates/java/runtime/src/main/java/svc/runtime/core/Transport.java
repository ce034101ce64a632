package svc.runtime.core;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.ConfigurationException;

/**
 * Sends requests. {@code sendAsync} of {@link java.net.http.HttpClient} is an implementation; tests
 * can respond without a network.
 */
@FunctionalInterface
public interface Transport {
  /**
   * Sends a request and returns its response, whatever its status.
   *
   * @param request the request
   * @param bodyHandler receives the response headers and reads the body; that of a stream is read
   *     after the response is complete
   * @return the response; cancelled if the call ends first
   */
  CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler);

  /**
   * Opens a WebSocket, for runs that are followed and live sessions. By default a transport opens
   * none; an HTTP client that is passed to {@link ClientOptions.Builder#httpClient} does.
   *
   * @param address the address, whose scheme is {@code ws} or {@code wss}
   * @param headers the headers of the handshake
   * @param listener receives the messages
   * @return the socket; fails with a {@link WebSocketHandshakeException} if the service refuses
   */
  default CompletableFuture<WebSocket> openSocket(
      URI address, Map<String, String> headers, WebSocket.Listener listener) {
    return CompletableFuture.failedFuture(
        new ConfigurationException(
            "the transport opens no WebSocket: override openSocket, or pass an httpClient"));
  }
}
