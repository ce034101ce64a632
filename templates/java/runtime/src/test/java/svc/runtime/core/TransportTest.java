package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** The built-in transport, and those that wrap it. */
@Timeout(60)
class TransportTest {
  private static final JsonObject INPUT = JsonObject.parse("{}");

  private static ClientOptions.Builder options(String url) {
    return ClientOptions.builder()
        .apiKey("key")
        .baseUrl(url)
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static JsonObject call(ClientOptions options) {
    ServiceConnection connection = ServiceConnection.open("test/1", options);
    return Blocking.call(
        CallOptions.none(),
        own -> connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, own));
  }

  @Test
  void retriesIfAConnectionIsNotEstablishedInTime() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fill(full, waiting);
      ClientOptions options =
          options("http://127.0.0.1:" + full.getLocalPort())
              .connectTimeout(Duration.ofMillis(200))
              .maxRetries(1)
              .timeout(Duration.ofSeconds(30))
              .build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      ConnectionException failure = assertThrows(ConnectionException.class, () -> call(options));
      assertEquals(2, failure.attempts());
      CompletionException alike =
          assertThrows(
              CompletionException.class,
              () ->
                  connection
                      .callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
                      .join());
      assertEquals(failure.getMessage(), alike.getCause().getMessage());
    } finally {
      for (Socket each : waiting) {
        each.close();
      }
    }
  }

  @Test
  void retriesIfAConnectionIsEstablishedTooLate() {
    LateClient late = new LateClient();
    ClientOptions options =
        options("http://127.0.0.1:1").transport(Transport.of(late)).maxRetries(1).build();
    ServiceConnection connection = ServiceConnection.open("test/1", options);
    ConnectionException failure = assertThrows(ConnectionException.class, () -> call(options));
    assertEquals(2, failure.attempts());
    assertEquals(2, late.requests.get());
    assertTrue(failure.getMessage().endsWith("request timed out"), failure.getMessage());
    CompletionException alike =
        assertThrows(
            CompletionException.class,
            () ->
                connection
                    .callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
                    .join());
    assertEquals(failure.getMessage(), alike.getCause().getMessage());
    assertEquals(4, late.requests.get());
  }

  /**
   * Fails each request like the client of the JDK does when a connection is established too late.
   */
  private static final class LateClient extends HttpClient {
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger requests = new AtomicInteger();

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws IOException {
      requests.incrementAndGet();
      throw new HttpTimeoutException("request timed out");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, HttpResponse.BodyHandler<T> handler) {
      requests.incrementAndGet();
      return CompletableFuture.failedFuture(new HttpTimeoutException("request timed out"));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request,
        HttpResponse.BodyHandler<T> handler,
        HttpResponse.PushPromiseHandler<T> pushes) {
      return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
      return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
      return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
      return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return client.authenticator();
    }

    @Override
    public Version version() {
      return client.version();
    }

    @Override
    public Optional<Executor> executor() {
      return client.executor();
    }
  }

  /**
   * Connects until the server, which accepts no connection, rejects the next one or lets it wait.
   */
  private static void fill(ServerSocket server, List<Socket> waiting) throws IOException {
    for (int i = 0; i < 10; i++) {
      Socket next = new Socket();
      waiting.add(next);
      try {
        next.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()), 3_000);
      } catch (SocketTimeoutException full) {
        return;
      }
    }
  }

  @Test
  void cancelsTheBodyOnceAResponseHasBegun() {
    for (BiFunction<Head, CompletableFuture<HttpResponse<byte[]>>, Future<?>> requested :
        List.<BiFunction<Head, CompletableFuture<HttpResponse<byte[]>>, Future<?>>>of(
            Head::firstOf, Head::cancellationOf)) {
      ResponseOfTheJdk response = new ResponseOfTheJdk();
      requested.apply(new Head(false), response).cancel(true);
      assertTrue(response.closesConnection);

      ResponseOfTheJdk begun = new ResponseOfTheJdk();
      Head head = new Head(false);
      Future<?> request = requested.apply(head, begun);
      CancelledSubscription body = new CancelledSubscription();
      head.apply(new BegunResponse()).onSubscribe(body);
      request.cancel(true);
      assertFalse(begun.closesConnection);
      assertTrue(begun.isCancelled());
      assertTrue(body.isCancelled);

      Head late = new Head(false);
      Future<?> left = requested.apply(late, new ResponseOfTheJdk());
      HttpResponse.BodySubscriber<byte[]> lateBody = late.apply(new BegunResponse());
      left.cancel(true);
      CancelledSubscription unwanted = new CancelledSubscription();
      lateBody.onSubscribe(unwanted);
      assertTrue(unwanted.isCancelled);
    }
  }

  /**
   * A response whose cancellation closes the connection, even if another request is already using
   * it.
   */
  private static final class ResponseOfTheJdk extends CompletableFuture<HttpResponse<byte[]>> {
    boolean closesConnection;

    @Override
    public boolean cancel(boolean mayInterrupt) {
      closesConnection = true;
      return super.cancel(mayInterrupt);
    }
  }

  /** A subscription that records its cancellation. */
  private static final class CancelledSubscription implements Flow.Subscription {
    boolean isCancelled;

    @Override
    public void request(long count) {
      // Nothing arrives.
    }

    @Override
    public void cancel() {
      isCancelled = true;
    }
  }

  /** The head of a response whose body has not arrived. */
  private record BegunResponse() implements HttpResponse.ResponseInfo {
    @Override
    public int statusCode() {
      return 200;
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(Map.of(), (name, value) -> true);
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }

  @Test
  void canBeWrapped() throws IOException {
    List<String> seen = new ArrayList<>();
    Transport standard = Transport.standard();
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.json(200, "{\"back\":1}"))) {
      Transport traced =
          (request, bodyHandler) -> {
            seen.add(request.method() + " " + request.uri().getPath());
            return standard.send(request, bodyHandler);
          };
      assertEquals(
          "{\"back\":1}", call(options(server.url()).transport(traced).build()).toString());
      assertEquals(List.of("POST /node"), seen);
    }
  }

  @Test
  void continuesOnWorkerThreads() {
    for (boolean isReached : new boolean[] {true, false}) {
      CompletableFuture<HttpResponse<byte[]>> response = new CompletableFuture<>();
      AtomicReference<HttpRequest> sent = new AtomicReference<>();
      Transport outside =
          (request, bodyHandler) -> {
            sent.set(request);
            return response;
          };
      ServiceConnection connection =
          ServiceConnection.open(
              "test/1", options("http://127.0.0.1").transport(outside).maxRetries(0).build());
      CompletableFuture<String> thread =
          connection
              .callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
              .handle((output, failure) -> Thread.currentThread().getName());
      if (isReached) {
        response.complete(FixedResponse.of(sent.get(), 200, "{}"));
      } else {
        response.completeExceptionally(new IOException("lost"));
      }
      assertEquals("svc worker", thread.join());
    }
  }

  @Test
  void doesNotUseHttp2() {
    List<Optional<HttpClient.Version>> versions = new ArrayList<>();
    Transport recording =
        (request, bodyHandler) -> {
          versions.add(request.version());
          return CompletableFuture.completedFuture(FixedResponse.of(request, 200, "{}"));
        };
    for (String url : List.of("http://127.0.0.1", "https://127.0.0.1")) {
      call(options(url).transport(recording).build());
    }
    Optional<HttpClient.Version> first = Optional.of(HttpClient.Version.HTTP_1_1);
    assertEquals(List.of(first, first), versions);
  }

  @Test
  void isSharedByClientsWithTheSameTimeout() {
    ServiceConnection usual = ServiceConnection.open("test/1", options("http://127.0.0.1").build());
    assertSame(Transport.standard(), usual.settings().transport());
    Duration second = Duration.ofSeconds(1);
    ServiceConnection other =
        ServiceConnection.open(
            "test/1", options("http://127.0.0.1").connectTimeout(second).build());
    assertSame(Transport.standard(second), other.settings().transport());
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThrows(ConfigurationException.class, () -> options("").connectTimeout(wrong));
      assertThrows(ConfigurationException.class, () -> Transport.standard(wrong));
    }
  }

  @Test
  void isReleasedByTheLastClientThatUsesIt() throws InterruptedException {
    Duration third = Duration.ofSeconds(3);
    WeakReference<Transport> left = new WeakReference<>(Transport.standard(third));
    for (int i = 0; i < 100 && left.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertNull(left.get());
    assertNotNull(Transport.standard(third));
  }

  @Test
  void canRespondWithoutANetwork() {
    AtomicInteger sent = new AtomicInteger();
    Transport first =
        (request, bodyHandler) ->
            CompletableFuture.completedFuture(
                sent.incrementAndGet() == 1
                    ? FixedResponse.of(request, 503, "busy").withHeader("retry-after", "0")
                    : FixedResponse.of(request, 200, "{\"n\":1}"));
    ClientOptions options = options("http://127.0.0.1").transport(first).build();
    assertEquals("{\"n\":1}", call(options).toString());
    assertEquals(2, sent.get());
  }

  @Test
  void canRespondWithAStreamWithoutANetwork() {
    Transport streaming =
        (request, bodyHandler) ->
            CompletableFuture.completedFuture(
                FixedResponse.of(
                        request,
                        200,
                        "data: {\"payload\": {\"n\": 1}}\n\n"
                            + "data: {\"is_final\": true, \"success\": true}\n\n")
                    .withHeader("Content-Type", "text/plain")
                    .withHeader("content-type", "text/event-stream"));
    ClientOptions options = options("http://127.0.0.1").transport(streaming).build();
    try (FrameStream<JsonObject> outputs =
        ServiceConnection.open("test/1", options)
            .streamNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())) {
      assertEquals(List.of(JsonObject.parse("{\"n\":1}")), outputs.stream().toList());
    }
  }

  @Test
  void usesTheProxiesOfTheEnvironmentUnlessAClientIsGiven() {
    HttpTransport standard = (HttpTransport) Transport.standard(Duration.ofSeconds(2));
    assertEquals(Duration.ofSeconds(2), standard.client().connectTimeout().orElseThrow());
    assertEquals(EnvironmentProxies.class, standard.client().proxy().orElseThrow().getClass());
    HttpClient own = HttpClient.newHttpClient();
    assertSame(own, ((HttpTransport) Transport.of(own)).client());
  }
}
