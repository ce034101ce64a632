package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.core.ScriptedServer.Request;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.TenantSuspendedException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** Live sessions: messages in both directions, ends and rejections. */
@Timeout(60)
class LiveTest {
  private static final String NODE = "/invocations/v1/nodes/acme/text/1.0.0/Continue";
  private static final String RUN = "0123456789abcdef0123456789abcdef";
  private static final String READY =
      "{\"type\":\"SESSION_READY\",\"execution_id\":\""
          + RUN
          + "\",\"limits\":{\"session_seconds\":300}}";
  private static final String A = "{\"payload\":{\"text\":\"a\"}}";
  private static final String B = "{\"payload\":{\"text\":\"b\"}}";
  private static final String LAST = "{\"is_final\":true,\"success\":true}";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");

  private static ClientOptions.Builder options(ScriptedServer server) {
    return ClientOptions.builder()
        .apiKey("key")
        .baseUrl(server.url())
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static LiveSession<JsonObject, JsonObject> open(ScriptedServer server) {
    return open(options(server));
  }

  private static LiveSession<JsonObject, JsonObject> open(ClientOptions.Builder options) {
    return Blocking.call(CallOptions.none(), own -> openAsync(options, own));
  }

  private static CompletableFuture<LiveSession<JsonObject, JsonObject>> openAsync(
      ClientOptions.Builder options, CallOptions own) {
    return ServiceConnection.open("test/1", options.build())
        .openLive(NODE, Codecs.STRUCT, Codecs.STRUCT, own);
  }

  @Test
  void reconnectsIfNotReadyWithinTheAttemptTimeout() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.socket(ScriptedServer.HEAR),
            ScriptedServer.socket(READY, A).stayingOpen())) {
      Duration limit = Duration.ofSeconds(2);
      try (LiveSession<JsonObject, JsonObject> session =
          open(options(server).attemptTimeout(limit).timeout(Duration.ofSeconds(20)))) {
        assertTrue(session.iterator().hasNext());
        assertEquals(2, server.requests().size());
      }
    }
  }

  @Test
  void logsALostConnectionOnce() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.socket(READY, A))) {
      Lines lines = new Lines();
      LiveSession<JsonObject, JsonObject> session = open(options(server).logger(lines));
      SvcException lost = assertThrows(StreamInterruptedException.class, () -> texts(session));
      assertEquals(2, lines.all.size(), lines.all.toString());
      assertTrue(lines.all.get(1).endsWith("failed: " + lost.getMessage()), lines.all.get(1));
    }
  }

  private static List<String> texts(Iterable<JsonObject> outputs) {
    List<String> texts = new ArrayList<>();
    outputs.forEach(output -> texts.add(output.text("text").orElseThrow()));
    return texts;
  }

  @Test
  void countsAsASuccessForTheBudgetWhenOpened() throws IOException {
    Answer answer = ScriptedServer.socket(READY, LAST).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).retryBudget(1).build());
      assertTrue(connection.budget().take());
      for (int i = 0; i < 9; i++) {
        connection.budget().succeeded(false);
      }
      assertFalse(connection.budget().take());
      connection.openLive(NODE, Codecs.STRUCT, Codecs.STRUCT, CallOptions.none()).join().close();
      assertTrue(connection.budget().take());
    }
  }

  @Test
  void reportsAHangingAttempt() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ClientOptions.Builder hurried =
          options(server).maxRetries(0).attemptTimeout(Duration.ofMillis(300));
      ConnectionException failure = assertThrows(ConnectionException.class, () -> open(hurried));
      assertEquals(
          "the attempt did not complete within its timeout of 300 ms", failure.getMessage());
    }
  }

  @Test
  void endsASessionIfTheServiceDoesNotRead() throws IOException {
    Pace transport = new Pace();
    transport.arePingsUnsent = true;
    JsonObject large = JsonObject.parse("{\"text\":\"" + "x".repeat(1 << 20) + "\"}");
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.socket(READY).stayingOpen());
        LiveSession<JsonObject, JsonObject> session = open(options(server).transport(transport))) {
      StreamInterruptedException failure =
          assertThrows(
              StreamInterruptedException.class,
              () -> {
                for (int i = 0; i < 50; i++) {
                  session.send(large);
                }
              });
      assertTrue(failure.getMessage().contains("cut off: Broken pipe"), failure.getMessage());
    }
  }

  @Test
  void sendsAndReceivesInTurn() throws IOException {
    String hear = ScriptedServer.HEAR;
    Answer answer = ScriptedServer.socket(READY, hear, A, hear, B, LAST).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer);
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      Iterator<JsonObject> outputs = session.iterator();
      session.send(INPUT);
      assertEquals("a", outputs.next().text("text").orElseThrow());
      session.send(JsonObject.parse("{\"text\":\"ä\"}"));
      assertEquals("b", outputs.next().text("text").orElseThrow());
      assertFalse(outputs.hasNext());
      assertFalse(outputs.hasNext());
      assertEquals(List.of("{\"text\":\"hello\"}", "{\"text\":\"ä\"}"), server.messages());
      Request request = server.requests().get(0);
      assertEquals("GET " + NODE + "/live", request.method() + " " + request.path());
      assertEquals("Bearer key", request.headers().get("authorization"));
      assertEquals("test/1", request.headers().get("x-svc-client"));
      assertEquals(RUN, session.executionId().orElseThrow());
      assertEquals(Optional.of(Duration.ofMinutes(5)), session.limits().duration());
      assertEquals(OptionalLong.empty(), session.limits().inputMessageBytes());
      assertThrows(IllegalStateException.class, session::iterator);
    }
  }

  @Test
  void ignoresTheCaseOfTheScheme() throws IOException {
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.socket(READY, A, LAST).stayingOpen());
        LiveSession<JsonObject, JsonObject> session =
            open(options(server).baseUrl(server.url().replace("http", "HTTP")))) {
      assertEquals("a", session.iterator().next().text("text").orElseThrow());
    }
  }

  @Test
  void sendsAsynchronouslyInOrder() throws IOException {
    String[] script = new String[102];
    script[0] = READY;
    for (int i = 1; i <= 100; i++) {
      script[i] = ScriptedServer.HEAR;
    }
    script[101] = LAST;
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.socket(script).stayingOpen());
        LiveSession<JsonObject, JsonObject> session =
            openAsync(options(server), CallOptions.none()).join()) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        JsonObject message = new JsonObject(Map.of("index", JsonValue.of(i)));
        sent.add(message.toString());
        session.sendAsync(message);
      }
      session.consume(output -> {}).join();
      assertEquals(sent, server.messages());
    }
  }

  @Test
  void publishesItsOutput() throws IOException {
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.socket(READY, A, B, LAST).stayingOpen());
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      List<JsonObject> taken = Collections.synchronizedList(new ArrayList<>());
      session.consume(taken::add).join();
      assertEquals(List.of("a", "b"), texts(taken));
      CompletionException failure =
          assertThrows(CompletionException.class, () -> session.consume(taken::add).join());
      assertEquals(IllegalStateException.class, failure.getCause().getClass());
    }
  }

  @Test
  void rejectsAnInvalidMessageWithoutSendingIt() throws IOException {
    Answer answer = ScriptedServer.socket(READY, ScriptedServer.HEAR, LAST).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer);
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      JsonObject half = new JsonObject(Map.of("text", JsonValue.of("\ud800")));
      assertThrows(InvalidMessageException.class, () -> session.send(half));
      session.send(INPUT);
      assertEquals(List.of(), texts(session));
      assertEquals(List.of(INPUT.toString()), server.messages());
    }
  }

  @Test
  void reportsWhyItEnded() throws IOException {
    for (String[] end :
        new String[][] {
          {ScriptedServer.CLOSE + "1013slow consumer", "1013: slow consumer"},
          {ScriptedServer.CLOSE + "1001", "closed the WebSocket with 1001"},
          {ScriptedServer.CLOSE + "1000", "1000, without a last frame"},
          {ScriptedServer.HEAR, "cut off"}
        }) {
      Answer answer = ScriptedServer.socket(READY, A, end[0], ScriptedServer.HEAR);
      try (ScriptedServer server = ScriptedServer.answering(answer);
          LiveSession<JsonObject, JsonObject> session = open(server)) {
        Iterator<JsonObject> outputs = session.iterator();
        outputs.next();
        if (end[0].equals(ScriptedServer.HEAR)) {
          session.send(INPUT);
          session.send(INPUT);
        }
        StreamInterruptedException failure =
            assertThrows(StreamInterruptedException.class, outputs::hasNext);
        assertTrue(failure.getMessage().contains(end[1]), failure.getMessage());
        ConnectionException unsent =
            assertThrows(ConnectionException.class, () -> session.send(INPUT));
        assertEquals(failure.getMessage(), unsent.getMessage());
        assertEquals(RUN, failure.executionId().orElseThrow());
        assertEquals(1, server.requests().size());
      }
    }
  }

  @Test
  void reportsToASenderWhyItEnded() throws IOException {
    String failed = "{\"is_final\":true,\"error\":\"frame 1: no\"}";
    String[][] ends = {
      {failed, "frame 1: no (execution " + RUN + ")"},
      {
        ScriptedServer.CLOSE + "1013slow consumer",
        "closed the WebSocket with 1013: slow consumer (execution " + RUN + ")"
      },
      {LAST, "the session has ended"}
    };
    for (String[] end : ends) {
      Answer answer =
          ScriptedServer.socket(READY, A, end[0], ScriptedServer.CLOSE + "1000").stayingOpen();
      try (ScriptedServer server = ScriptedServer.answering(answer);
          LiveSession<JsonObject, JsonObject> session = open(server)) {
        // The output is never read.
        SvcException failure = assertThrows(SvcException.class, () -> sendUntilItFails(session));
        assertTrue(failure.getMessage().contains(end[1]), failure.getMessage());
        assertEquals(
            end[0].equals(failed), failure instanceof NodeFailedException, failure::toString);
      }
    }
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.socket(READY, A).stayingOpen())) {
      LiveSession<JsonObject, JsonObject> session = open(server);
      session.close();
      assertThrows(CallCancelledException.class, () -> session.send(INPUT));
    }
  }

  private static void sendUntilItFails(LiveSession<JsonObject, JsonObject> session) {
    while (true) {
      session.send(INPUT);
    }
  }

  @Test
  void sendsNoFasterThanTheServiceReads() throws Exception {
    JsonObject large = new JsonObject(Map.of("text", JsonValue.of("a".repeat(1 << 20))));
    // The service does not read.
    Answer answer = ScriptedServer.socket(READY).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer);
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      // On a very slow machine, the session may end because a ping was not answered in time.
      Exception unsent =
          assertThrows(
              Exception.class,
              () -> {
                for (int i = 0; i < 200; i++) {
                  session.sendAsync(large).get(3, TimeUnit.SECONDS);
                }
              });
      assertTrue(
          unsent instanceof TimeoutException || unsent instanceof ExecutionException,
          unsent::toString);
    }
  }

  @Test
  void rejectsAnEndlessMessage() {
    Endless endless = new Endless();
    ClientOptions options =
        ClientOptions.builder()
            .apiKey("key")
            .baseUrl("http://127.0.0.1")
            .transport(endless)
            .build();
    ServiceConnection connection = ServiceConnection.open("test/1", options);
    try (LiveSession<JsonObject, JsonObject> session =
        Blocking.call(
            CallOptions.none(),
            own -> connection.openLive(NODE, Codecs.STRUCT, Codecs.STRUCT, own))) {
      InvalidResponseException failure =
          assertThrows(InvalidResponseException.class, session.iterator()::hasNext);
      assertTrue(failure.getMessage().contains("longer than"), failure.getMessage());
      assertTrue(endless.isAborted);
    }
  }

  @Test
  void continuesOnWorkerThreads() {
    Outside outside = new Outside();
    ClientOptions.Builder options =
        ClientOptions.builder().apiKey("key").baseUrl("http://127.0.0.1").transport(outside);
    CompletableFuture<LiveSession<JsonObject, JsonObject>> opened =
        openAsync(options, CallOptions.none());
    CompletableFuture<String> opener = opened.thenApply(session -> nameOfThread());
    outside.completeLater(() -> outside.listener.onText(outside.socket, READY, true));
    assertEquals("svc worker", opener.join());
    CompletableFuture<Void> sent = opened.join().sendAsync(INPUT);
    CompletableFuture<String> sender = sent.thenApply(nothing -> nameOfThread());
    outside.completeLater(() -> outside.sent.complete(outside.socket));
    assertEquals("svc worker", sender.join());
  }

  private static String nameOfThread() {
    return Thread.currentThread().getName();
  }

  /** A socket whose messages are sent and received on other threads. */
  private static final class Outside implements Transport {
    final CompletableFuture<WebSocket> sent = new CompletableFuture<>();
    final WebSocket socket =
        (WebSocket)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WebSocket.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "sendText" -> sent;
                      case "sendPing" -> new CompletableFuture<>();
                      default -> null;
                    });
    WebSocket.Listener listener;

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<WebSocket> openSocket(
        URI address, Map<String, String> headers, WebSocket.Listener to) {
      listener = to;
      to.onOpen(socket);
      return CompletableFuture.completedFuture(socket);
    }

    void completeLater(Runnable event) {
      new Thread(event, "outside").start();
    }
  }

  /** A socket whose second message never ends. */
  private static final class Endless implements Transport, InvocationHandler {
    private static final String PART = "a".repeat(1 << 20);

    private final WebSocket socket =
        (WebSocket)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WebSocket.class}, this);
    private WebSocket.Listener listener;
    private boolean isReady;
    volatile boolean isAborted;

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<WebSocket> openSocket(
        URI address, Map<String, String> headers, WebSocket.Listener to) {
      listener = to;
      to.onOpen(socket);
      return CompletableFuture.completedFuture(socket);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      switch (method.getName()) {
        case "request" -> CompletableFuture.runAsync(this::bringMore);
        case "abort" -> isAborted = true;
        case "isOutputClosed" -> {
          return isAborted;
        }
        default -> {
          return CompletableFuture.completedFuture(socket);
        }
      }
      return null;
    }

    private void bringMore() {
      if (isAborted) {
        return;
      }
      String part = isReady ? PART : READY;
      boolean isLast = !isReady;
      isReady = true;
      listener.onText(socket, part, isLast);
    }
  }

  @Test
  void rejectsATransportThatReturnsNoSocket() {
    Transport nothing =
        new Transport() {
          @Override
          public CompletableFuture<HttpResponse<byte[]>> send(
              HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
            return new CompletableFuture<>();
          }

          @Override
          public CompletableFuture<WebSocket> openSocket(
              URI address, Map<String, String> headers, WebSocket.Listener listener) {
            return null;
          }
        };
    ClientOptions.Builder options =
        ClientOptions.builder().apiKey("key").baseUrl("http://127.0.0.1").transport(nothing);
    IllegalStateException failure = assertThrows(IllegalStateException.class, () -> open(options));
    assertEquals("the transport returned no WebSocket", failure.getMessage());
  }

  @Test
  void reportsTheFailureOfTheNode() throws IOException {
    String failed = "{\"is_final\":true,\"error\":\"frame 1: no\"}";
    try (ScriptedServer server =
            ScriptedServer.answering(ScriptedServer.socket(READY, A, failed).stayingOpen());
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      List<JsonObject> taken = new ArrayList<>();
      NodeFailedException failure =
          assertThrows(NodeFailedException.class, () -> session.forEach(taken::add));
      assertEquals("frame 1: no (execution " + RUN + ")", failure.getMessage());
      assertEquals(List.of("a"), texts(taken));
    }
  }

  @Test
  void rejectsAnInvalidFrame() throws IOException {
    for (String message : List.of("{", "[]", "{}", "{\"payload\":7}")) {
      try (ScriptedServer server =
              ScriptedServer.answering(ScriptedServer.socket(READY, message).stayingOpen());
          LiveSession<JsonObject, JsonObject> session = open(server)) {
        InvalidResponseException failure =
            assertThrows(InvalidResponseException.class, () -> session.iterator().hasNext());
        assertEquals(message, failure.body().orElseThrow());
        server.awaitClosed();
      }
    }
  }

  @Test
  void rejectsAnInvalidFirstMessage() throws IOException {
    for (String message : List.of("{", A)) {
      Answer answer = ScriptedServer.socket(message).stayingOpen();
      try (ScriptedServer server = ScriptedServer.answering(answer)) {
        assertThrows(InvalidResponseException.class, () -> open(server));
        server.awaitClosed();
        assertEquals(1, server.requests().size());
      }
    }
  }

  @Test
  void reconnectsUntilReady() throws IOException {
    Answer[] answers = {
      ScriptedServer.json(503, "{}"),
      ScriptedServer.socket(ScriptedServer.CLOSE + "1001").stayingOpen(),
      ScriptedServer.socket(READY, LAST).stayingOpen()
    };
    try (ScriptedServer server = ScriptedServer.answering(answers);
        LiveSession<JsonObject, JsonObject> session = open(server)) {
      assertEquals(List.of(), texts(session));
      assertEquals(3, server.requests().size());
    }
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, () -> open(options(server).maxRetries(1)));
      assertEquals(2, failure.attempts());
    }
  }

  @Test
  void reconnectsWithinTheRetryBudget() throws IOException {
    Answer busy = ScriptedServer.json(503, "{}");
    Answer cut = ScriptedServer.socket(ScriptedServer.CLOSE + "1001").stayingOpen();
    for (Answer lost : List.of(busy, cut)) {
      try (ScriptedServer server = ScriptedServer.answering(lost, lost, lost)) {
        SvcException failure =
            assertThrows(
                SvcException.class, () -> open(options(server).maxRetries(5).retryBudget(1)));
        assertTrue(failure.getMessage().endsWith("the retry budget is empty"), failure::toString);
        assertEquals(lost == busy, failure instanceof UpstreamUnavailableException);
        assertEquals(2, server.requests().size());
      }
    }
  }

  @Test
  void doesNotCountRateLimitedAttempts() throws IOException {
    Answer[] answers = {
      ScriptedServer.json(429, "{}").with("retry-after", "1"),
      ScriptedServer.json(503, "{}"),
      ScriptedServer.socket(READY, LAST).stayingOpen()
    };
    try (ScriptedServer server = ScriptedServer.answering(answers);
        LiveSession<JsonObject, JsonObject> session =
            open(options(server).maxRetries(1).retryBudget(1))) {
      assertEquals(List.of(), texts(session));
    }
  }

  @Test
  void reportsWhyItWasRejected() throws IOException {
    Answer refusal = ScriptedServer.json(403, "{\"error\":\"tenant_suspended\"}");
    try (ScriptedServer server = ScriptedServer.answering(refusal)) {
      TenantSuspendedException failure =
          assertThrows(TenantSuspendedException.class, () -> open(server));
      assertEquals("{\"error\":\"tenant_suspended\"}", failure.body().orElseThrow());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void requiresATransportWithSockets() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ClientOptions.Builder options =
          options(server).transport(HttpClient.newHttpClient()::sendAsync);
      assertThrows(ConfigurationException.class, () -> open(options));
    }
  }

  @Test
  void timesOutIfNotReady() throws IOException {
    Answer answer = ScriptedServer.socket(ScriptedServer.HEAR).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      ClientOptions.Builder options = options(server).timeout(Duration.ofSeconds(2));
      assertThrows(CallTimedOutException.class, () -> open(options));
      server.awaitClosed();
    }
  }

  @Test
  void limitsTheHandshakeByTheAttemptTimeout() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ClientOptions.Builder options =
          options(server).maxRetries(0).attemptTimeout(Duration.ofSeconds(2));
      assertThrows(ConnectionException.class, () -> open(options));
      server.awaitClosed();
    }
  }

  @Test
  void endsWhenItIsClosed() throws IOException {
    Answer answer = ScriptedServer.socket(READY, A).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      Iterator<JsonObject> outputs;
      try (LiveSession<JsonObject, JsonObject> session = open(server)) {
        outputs = session.iterator();
        outputs.next();
      }
      CallCancelledException closed = assertThrows(CallCancelledException.class, outputs::hasNext);
      assertEquals(RUN, closed.executionId().orElseThrow());
      server.awaitClosed();
    }
  }

  @Test
  void stopsOpeningWhenCancelled() throws Exception {
    Answer answer = ScriptedServer.socket(ScriptedServer.HEAR).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      CompletableFuture<?> opening = openAsync(options(server), CallOptions.none());
      server.awaitRequests(1);
      opening.cancel(true);
      server.awaitClosed();
    }
  }

  @Test
  void appliesBackpressureToTheService() throws IOException {
    int size = 60_000;
    int count = 60;
    List<String> script = new ArrayList<>();
    script.add(READY);
    // The JDK can lose data that arrives right after the handshake if it exceeds one of its
    // buffers.
    script.add(ScriptedServer.HEAR);
    String large = "{\"payload\":{\"text\":\"" + "a".repeat(size) + "\"}}";
    script.addAll(Collections.nCopies(count, large));
    script.add(LAST);
    Answer answer = ScriptedServer.socket(script.toArray(new String[0])).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      Pace pace = new Pace();
      try (LiveSession<JsonObject, JsonObject> session = open(options(server).transport(pace))) {
        session.send(INPUT);
        // No further message is requested.
        pace.paused.join();
        assertTrue(pace.length.get() >= LiveOpening.READ_AHEAD, "" + pace.length);
        assertTrue(pace.length.get() < LiveOpening.READ_AHEAD + 2 * size, "" + pace.length);
        assertEquals(count, texts(session).size());
      }
    }
  }

  /**
   * The sockets of the JDK, with a record of the messages that they are asked for and receive. It
   * answers pings itself, because the scripted server does not, and an unanswered ping would end
   * the session on a very slow machine.
   */
  private static final class Pace implements Transport {
    boolean arePingsUnsent;
    final CompletableFuture<Void> paused = new CompletableFuture<>();
    final AtomicLong length = new AtomicLong();
    private final AtomicInteger requested = new AtomicInteger();
    private final Transport transport = Transport.standard();

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      return transport.send(request, bodyHandler);
    }

    @Override
    public CompletableFuture<WebSocket> openSocket(
        URI address, Map<String, String> headers, WebSocket.Listener listener) {
      return transport.openSocket(
          address,
          headers,
          new WebSocket.Listener() {
            @Override
            public void onOpen(WebSocket socket) {
              listener.onOpen(watched(socket, listener));
            }

            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
              length.addAndGet(part.length());
              listener.onText(watched(socket, listener), part, isLast);
              if (requested.decrementAndGet() == 0) {
                paused.complete(null);
              }
              return null;
            }

            @Override
            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
              paused.completeExceptionally(new IllegalStateException("closed with " + code));
              return listener.onClose(socket, code, reason);
            }

            @Override
            public void onError(WebSocket socket, Throwable error) {
              paused.completeExceptionally(error);
              listener.onError(socket, error);
            }
          });
    }

    private WebSocket watched(WebSocket socket, WebSocket.Listener listener) {
      return (WebSocket)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {WebSocket.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("request")) {
                  requested.incrementAndGet();
                }
                if (method.getName().equals("sendPing")) {
                  if (arePingsUnsent) {
                    return CompletableFuture.failedFuture(new IOException("Broken pipe"));
                  }
                  listener.onPong(undemanding(), ByteBuffer.allocate(0));
                  return CompletableFuture.completedFuture(proxy);
                }
                try {
                  return method.invoke(socket, arguments);
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
    }

    /** A socket for a pong that was not requested, so that the next request is for a message. */
    private WebSocket undemanding() {
      return (WebSocket)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {WebSocket.class},
              (proxy, method, arguments) -> null);
    }
  }
}
