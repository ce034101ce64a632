package svc.runtime.core;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests through one transport, and opens WebSockets through another.
 *
 * @param requests sends requests
 * @param sockets opens WebSockets
 */
record TransportWithSockets(Transport requests, Transport sockets) implements Transport {
  @Override
  public CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
    return requests.send(request, bodyHandler);
  }

  @Override
  public CompletableFuture<WebSocket> openSocket(
      URI address, Map<String, String> headers, WebSocket.Listener listener) {
    return sockets.openSocket(address, headers, listener);
  }
}
