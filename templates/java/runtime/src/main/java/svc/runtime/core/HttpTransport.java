package svc.runtime.core;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends requests through an HTTP client of the JDK. */
record HttpTransport(HttpClient client) implements Transport {
  /** Tolerance for a request timeout that fires before the deadline of its call. */
  static final Duration TOLERANCE = Duration.ofMillis(20);

  /** The default time within which a connection must be established. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Shared transports, created on demand and held only by their clients. The JDK closes the
   * connections and stops the thread of an HTTP client once nothing refers to it.
   */
  private static final Map<Duration, WeakReference<HttpTransport>> SHARED = new HashMap<>();

  /**
   * Returns the transport shared by all clients of the process with this timeout, so that creating
   * a client per request costs neither connections nor threads.
   */
  static HttpTransport shared(Duration connectTimeout) {
    synchronized (SHARED) {
      WeakReference<HttpTransport> kept = SHARED.get(connectTimeout);
      HttpTransport transport = kept == null ? null : kept.get();
      if (transport == null) {
        transport = connectingWithin(connectTimeout);
        SHARED.values().removeIf(each -> each.get() == null);
        SHARED.put(connectTimeout, new WeakReference<>(transport));
      }
      return transport;
    }
  }

  private static HttpTransport connectingWithin(Duration timeout) {
    return new HttpTransport(
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .proxy(EnvironmentProxies.of(System.getenv()))
            .build());
  }

  @Override
  public CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
    return client.sendAsync(request, bodyHandler);
  }

  @Override
  public CompletableFuture<WebSocket> openSocket(
      URI address, Map<String, String> headers, WebSocket.Listener listener) {
    WebSocket.Builder builder = client.newWebSocketBuilder();
    headers.forEach(builder::header);
    return builder.buildAsync(address, listener);
  }

  /**
   * Sends a request on the waiting thread. A future would switch threads twice.
   *
   * @param attempt the time left for the attempt, or null if only the timeout of the call applies
   * @return the body
   */
  CompletableFuture<byte[]> sendHere(
      HttpRequest.Builder request, Call call, Duration attempt, Head head)
      throws IOException, InterruptedException {
    Duration left = call.settings().timeout() == null ? null : call.timeLeft();
    if (left == null || attempt != null && attempt.compareTo(left) < 0) {
      left = attempt;
    }
    if (left != null) {
      request.timeout(left.compareTo(TOLERANCE) < 0 ? TOLERANCE : left);
    }
    try {
      return call.during(head.read(client.send(request.build(), BodyHandlers.ofPublisher())));
    } catch (HttpTimeoutException late) {
      if (call.timeLeft().compareTo(TOLERANCE) < 0) {
        call.timeOut();
      }
      throw late;
    }
  }
}
