package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.core.ScriptedServer.Request;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.TenantSuspendedException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Following runs. */
@Timeout(60)
class FollowTest {
  private static final String RUN = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String READY = "{\"type\":\"SESSION_READY\"}";
  private static final String STARTED = "{\"type\":\"NODE_STARTED\",\"event_ulid\":\"01A\"}";
  private static final String LOGGED = "{\"type\":\"NODE_LOG\",\"event_ulid\":\"01B\"}";
  private static final String COMPLETED = "{\"type\":\"NODE_COMPLETED\",\"event_ulid\":\"01C\"}";
  private static final String ENDED = "{\"type\":\"FLOW_COMPLETED\",\"event_ulid\":\"01D\"}";

  /**
   * A run whose connection is lost once. Afterwards, the history has more events than the socket
   * delivered.
   */
  private static final Answer[] LOST_ONCE = {
    page(STARTED),
    ScriptedServer.socket(READY, STARTED, LOGGED),
    page(STARTED, LOGGED, COMPLETED),
    ScriptedServer.socket(READY, COMPLETED, ENDED).stayingOpen()
  };

  private static Answer page(String... events) {
    return ScriptedServer.json(200, "{\"events\":[" + String.join(",", events) + "]}");
  }

  /** Repeats answers once for each consecutive connection that may be lost, and one more time. */
  private static Answer[] nineTimes(Answer... answers) {
    return Collections.nCopies(9, List.of(answers)).stream()
        .flatMap(List::stream)
        .toArray(Answer[]::new);
  }

  private static Answer record(String status) {
    String fields = "{\"execution_id\":\"" + RUN + "\",\"status\":\"" + status + "\"}";
    return ScriptedServer.json(200, fields);
  }

  private static Execution<JsonObject> execution(ScriptedServer server) {
    return execution(server, ClientOptions.builder());
  }

  private static Execution<JsonObject> execution(
      ScriptedServer server, ClientOptions.Builder options) {
    return open(server, options.retryDelay(Duration.ZERO, Duration.ofSeconds(8)));
  }

  private static Execution<JsonObject> open(ScriptedServer server, ClientOptions.Builder options) {
    options.apiKey("key").baseUrl(server.url());
    return ServiceConnection.open("test/1", options.build()).execution(RUN, Codecs.STRUCT);
  }

  @Test
  void namesTheRunIfTheThreadIsInterrupted() throws IOException {
    try (ScriptedServer server =
            ScriptedServer.answering(page(STARTED), ScriptedServer.socket(READY).stayingOpen());
        EventStream events = execution(server).follow()) {
      Thread caller = Thread.currentThread();
      CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(caller::interrupt);
      CallCancelledException failure =
          assertThrows(CallCancelledException.class, () -> events.stream().count());
      assertTrue(Thread.interrupted());
      assertEquals(RUN, failure.executionId().orElseThrow());
    }
  }

  @Test
  void logsALostConnectionOnce() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(page(STARTED), ScriptedServer.socket(READY))) {
      Lines lines = new Lines();
      ClientOptions.Builder options = ClientOptions.builder().maxRetries(0).logger(lines);
      try (EventStream events = execution(server, options).follow()) {
        SvcException lost =
            assertThrows(StreamInterruptedException.class, () -> events.stream().count());
        assertEquals(3, lines.all.size(), lines.all.toString());
        assertTrue(lines.all.get(2).endsWith("failed: " + lost.getMessage()), lines.all.get(2));
      }
    }
  }

  @Test
  void deliversEveryEventOnce() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(LOST_ONCE);
        EventStream events = execution(server).follow()) {
      List<String> ulids = events.stream().map(ExecutionEvent::ulid).toList();
      assertEquals(List.of("01A", "01B", "01C", "01D"), ulids);
      assertEquals(4, server.requests().size());
      Request socket = server.requests().get(3);
      assertEquals(
          "/invocations/v1/debug-stream?session_id=" + RUN + "&decode=true", socket.path());
      assertEquals("Bearer key", socket.headers().get("authorization"));
      assertEquals("test/1", socket.headers().get("x-svc-client"));
    }
  }

  @Test
  void publishesEveryEventOnce() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(LOST_ONCE);
        AsyncEventStream events = execution(server).followAsync()) {
      List<String> ulids = new ArrayList<>();
      events.consume(event -> ulids.add(event.ulid())).join();
      assertEquals(List.of("01A", "01B", "01C", "01D"), ulids);
    }
  }

  @Test
  void usesTheClientOfTheCaller() throws IOException {
    ClientOptions.Builder options = ClientOptions.builder().httpClient(HttpClient.newHttpClient());
    try (ScriptedServer server = ScriptedServer.answering(LOST_ONCE);
        EventStream events = execution(server, options).follow()) {
      assertEquals(4, events.stream().count());
    }
  }

  @Test
  void givesUpAfterConnectionsWithoutNewEvents() throws IOException {
    Answer socket = ScriptedServer.socket(READY, STARTED);
    Answer[] answers = nineTimes(page(STARTED), socket);
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events = execution(server).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      assertEquals("01A", iterator.next().ulid());
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, iterator::hasNext);
      assertEquals(RUN, failure.executionId().orElseThrow());
      assertEquals(9, failure.attempts());
      assertEquals(18, server.requests().size());
      assertThrows(StreamInterruptedException.class, iterator::hasNext);
    }
  }

  @Test
  void readsTheRestOfTheHistoryIfTheRunHasEndedWhenTheSocketCloses() throws IOException {
    Answer closing = ScriptedServer.socket(READY, STARTED, ScriptedServer.CLOSE + "1000");
    Answer[] answers = {page(STARTED), closing, record("CANCELLED"), page(STARTED, COMPLETED)};
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events = execution(server).follow()) {
      assertEquals(List.of("01A", "01C"), events.stream().map(ExecutionEvent::ulid).toList());
      assertEquals(4, server.requests().size());
    }
  }

  @Test
  void countsASocketThatClosesBeforeTheRunEndsAsLost() throws IOException {
    Answer closing = ScriptedServer.socket(READY, STARTED, ScriptedServer.CLOSE + "1000");
    Answer running = record("RUNNING");
    Answer[] answers = nineTimes(page(STARTED), closing, running);
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      ClientOptions.Builder options = ClientOptions.builder().maxRetries(1);
      try (EventStream events = execution(server, options).follow()) {
        Iterator<ExecutionEvent> iterator = events.iterator();
        assertEquals("01A", iterator.next().ulid());
        StreamInterruptedException failure =
            assertThrows(StreamInterruptedException.class, iterator::hasNext);
        assertTrue(failure.getMessage().contains("1000"), failure.getMessage());
        assertEquals(RUN, failure.executionId().orElseThrow());
        assertEquals(27, server.requests().size());
      }
    }
  }

  @Test
  void readsFailuresAndPauses() {
    ExecutionRecord record =
        ExecutionRecord.fromJson(
            "{\"execution_id\":\"run\",\"status\":\"FAILED\",\"error_message\":\"no words\","
                + "\"failed_node_name\":\"second\"}");
    assertEquals("no words", record.errorMessage().orElseThrow());
    assertEquals("second", record.failedNodeName().orElseThrow());
    ExecutionEvent event =
        ExecutionEvent.fromJson(
            "{\"type\":\"HITL_RESUME_FAILED\",\"error\":\"no\",\"pause_id\":\"p\"}");
    assertEquals(ExecutionEvent.Type.HITL_RESUME_FAILED, event.type());
    assertEquals("no", event.errorMessage().orElseThrow());
    assertEquals("p", event.pauseId().orElseThrow());
    assertTrue(ExecutionEvent.fromJson("{}").errorMessage().isEmpty());
  }

  @Test
  void givesUpOnUnreadablePagesIfSocketsAreBlocked() throws IOException {
    Answer refusal = ScriptedServer.json(502, "{}");
    Answer[] answers = {
      page(STARTED), refusal, page(STARTED), refusal, page(STARTED), refusal, refusal
    };
    ClientOptions.Builder options = ClientOptions.builder().maxRetries(1);
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events = execution(server, options).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      assertEquals("01A", iterator.next().ulid());
      assertThrows(UpstreamUnavailableException.class, iterator::hasNext);
      // Three sockets and the pages before them, and six more pages, each read once.
      assertEquals(6 + 6, server.requests().size());
    }
  }

  @Test
  void readsAPageOncePerConnectionWithoutUsingTheRetryBudget() throws IOException {
    Answer refusal = ScriptedServer.json(503, "{}");
    Answer[] answers = {page(STARTED), ScriptedServer.socket(READY, STARTED), refusal};
    Lines lines = new Lines();
    ClientOptions.Builder options =
        ClientOptions.builder()
            .retryBudget(1)
            .retryDelay(Duration.ZERO, Duration.ZERO)
            .logger(lines);
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events = open(server, options).follow()) {
      UpstreamUnavailableException failure =
          assertThrows(UpstreamUnavailableException.class, () -> events.stream().count());
      assertFalse(failure.getMessage().contains("budget"), failure.getMessage());
      // The first page, the lost socket, and eight connections whose page cannot be read.
      assertEquals(2 + 8, server.requests().size());
      assertTrue(
          lines.all.stream()
              .anyMatch(line -> line.startsWith("execution " + RUN + " is read again")),
          lines.all.toString());
    }
  }

  @Test
  void pollsPagesIfSocketsStaySilent() throws IOException {
    Answer silent = ScriptedServer.socket(ScriptedServer.HEAR);
    Answer[] answers = {page(STARTED), silent, page(), silent, page(), silent, page(ENDED)};
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events =
            followed(execution(server), Duration.ofSeconds(1), Duration.ofMinutes(1))) {
      assertEquals(List.of("01A", "01D"), events.stream().map(ExecutionEvent::ulid).toList());
      assertEquals(7, server.requests().size());
    }
  }

  private static List<Answer> silentSockets() {
    return List.of(ScriptedServer.silence(), ScriptedServer.socket(ScriptedServer.HEAR));
  }

  @ParameterizedTest
  @MethodSource("silentSockets")
  void tellsThatASocketStayedSilent(Answer silent) throws IOException {
    ClientOptions.Builder options =
        ClientOptions.builder().maxRetries(0).attemptTimeout(Duration.ofSeconds(2));
    try (ScriptedServer server = ScriptedServer.answering(page(), silent);
        EventStream events = execution(server, options).follow()) {
      CallTimedOutException failure =
          assertThrows(CallTimedOutException.class, () -> events.iterator().hasNext());
      assertEquals(
          "the WebSocket was not ready within 2000 ms (execution " + RUN + ")",
          failure.getMessage());
      assertEquals(RUN, failure.executionId().orElseThrow());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesUpRequestsThatAreNotAnswered(boolean isSet) throws IOException {
    Duration seconds = Duration.ofSeconds(3);
    Duration hour = Duration.ofHours(1);
    ClientOptions.Builder options = ClientOptions.builder().timeout(hour);
    if (isSet) {
      options.attemptTimeout(seconds);
    }
    Answer[] answers = {
      page(STARTED),
      ScriptedServer.socket(READY, STARTED),
      ScriptedServer.silence(),
      page(STARTED),
      ScriptedServer.socket(READY, STARTED, ENDED).stayingOpen()
    };
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events =
            followed(execution(server, options), isSet ? hour : seconds, hour, hour)) {
      assertEquals(List.of("01A", "01D"), events.stream().map(ExecutionEvent::ulid).toList());
      assertEquals(5, server.requests().size());
    }
  }

  @Test
  void retriesASocketAfterPollingPages() throws IOException {
    Answer refusal = ScriptedServer.json(403, "{}");
    Answer socket = ScriptedServer.socket(READY, STARTED, ENDED).stayingOpen();
    Answer[] answers = {
      page(), refusal, page(), refusal, page(), refusal, page(), refusal, page(), socket, page()
    };
    try (ScriptedServer server = ScriptedServer.answering(answers);
        EventStream events = followed(execution(server), Duration.ofSeconds(5), Duration.ZERO)) {
      assertEquals(List.of("01A", "01D"), events.stream().map(ExecutionEvent::ulid).toList());
      assertEquals(11, server.requests().size());
    }
  }

  private static EventStream followed(
      Execution<JsonObject> execution, Duration longestOpening, Duration socketPause) {
    return followed(execution, Duration.ofSeconds(30), longestOpening, socketPause);
  }

  private static EventStream followed(
      Execution<JsonObject> execution,
      Duration longestLook,
      Duration longestOpening,
      Duration socketPause) {
    CallOptions options = CallOptions.none();
    return new EventStream(execution.follower(options, longestLook, longestOpening, socketPause));
  }

  @Test
  void endsWhenItIsClosedBetweenPages() throws IOException {
    Answer refusal = ScriptedServer.json(426, "{}");
    Answer[] answers = {
      page(), refusal, page(), refusal, page(), refusal, page(STARTED), record("RUNNING")
    };
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      AsyncEventStream events = execution(server).followAsync();
      CompletableFuture<Void> first = new CompletableFuture<>();
      CompletableFuture<Void> all = events.consume(event -> first.complete(null));
      CompletableFuture.anyOf(first, all).join();
      events.close();
      CompletionException failure = assertThrows(CompletionException.class, all::join);
      assertInstanceOf(CallCancelledException.class, failure.getCause());
    }
  }

  @Test
  void detectsAConnectionThatAnswersNoPing() throws IOException {
    Answer silent = ScriptedServer.socket(READY, STARTED).stayingOpen();
    try (ScriptedServer server =
            ScriptedServer.answering(page(STARTED), silent, page(STARTED, ENDED));
        EventStream events = execution(server).follow()) {
      assertEquals(List.of("01A", "01D"), events.stream().map(ExecutionEvent::ulid).toList());
    }
  }

  @Test
  void requestsOneMessageAheadToDetectTheEndOfAConnection() throws IOException {
    ScriptedSocket socket = new ScriptedSocket(READY, STARTED, LOGGED);
    Transport transport = Transport.standard();
    ClientOptions.Builder options =
        ClientOptions.builder().transport(((Transport) transport::send).withSocketsOf(socket));
    try (ScriptedServer server = ScriptedServer.answering(page(STARTED), page(STARTED, ENDED));
        EventStream events = execution(server, options).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      assertEquals("01A", iterator.next().ulid());
      assertEquals("01B", iterator.next().ulid());
      assertEquals(4, socket.requested.get());
      socket.listener.onError(null, new InternalError());
      assertEquals("01D", iterator.next().ulid());
    }
  }

  @Test
  void reportsWhyAPingCannotBeSent() throws IOException {
    Map<String, String> reasons =
        Map.of("closed output", "the connection ended", "Broken pipe", "Broken pipe");
    for (Map.Entry<String, String> reason : reasons.entrySet()) {
      ScriptedSocket socket = new ScriptedSocket(READY);
      socket.unsent = new IOException(reason.getKey());
      Transport transport = Transport.standard();
      ClientOptions.Builder options =
          ClientOptions.builder()
              .transport(((Transport) transport::send).withSocketsOf(socket))
              .maxRetries(0);
      try (ScriptedServer server = ScriptedServer.answering(page(STARTED));
          EventStream events = execution(server, options).follow()) {
        StreamInterruptedException failure =
            assertThrows(StreamInterruptedException.class, () -> events.stream().count());
        assertEquals(
            "the WebSocket was cut off: " + reason.getValue() + " (execution " + RUN + ")",
            failure.getMessage());
      }
    }
  }

  @Test
  void reportsTheEndOfAConnectionIfTheJdkFails() throws IOException {
    ScriptedSocket socket = new ScriptedSocket(READY);
    Transport transport = Transport.standard();
    ClientOptions.Builder options =
        ClientOptions.builder()
            .transport(((Transport) transport::send).withSocketsOf(socket))
            .maxRetries(0);
    try (ScriptedServer server = ScriptedServer.answering(page(STARTED));
        EventStream events = execution(server, options).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      assertEquals("01A", iterator.next().ulid());
      socket.failure = new InternalError();
      StreamInterruptedException failure =
          assertThrows(StreamInterruptedException.class, iterator::hasNext);
      assertEquals(
          "the WebSocket was cut off: the connection ended (execution " + RUN + ")",
          failure.getMessage());
    }
  }

  @Test
  void rejectsABinaryMessage() throws IOException {
    ScriptedSocket socket = new ScriptedSocket(READY);
    Transport transport = Transport.standard();
    ClientOptions.Builder options =
        ClientOptions.builder().transport(((Transport) transport::send).withSocketsOf(socket));
    try (ScriptedServer server = ScriptedServer.answering(page(STARTED));
        EventStream events = execution(server, options).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      assertEquals("01A", iterator.next().ulid());
      socket.sendsBinary = true;
      InvalidResponseException failure =
          assertThrows(InvalidResponseException.class, iterator::hasNext);
      assertEquals(
          "invalid response: a message is not text (execution " + RUN + ")", failure.getMessage());
    }
  }

  @Test
  void reportsWhyASocketIsRejected() throws IOException {
    Answer refusal = ScriptedServer.json(403, "{\"error\":\"tenant_suspended\"}");
    try (ScriptedServer server = ScriptedServer.answering(page(), refusal);
        EventStream events = execution(server).follow()) {
      TenantSuspendedException failure =
          assertThrows(TenantSuspendedException.class, () -> events.iterator().hasNext());
      assertEquals(RUN, failure.executionId().orElseThrow());
      assertEquals("{\"error\":\"tenant_suspended\"}", failure.body().orElseThrow());
    }
  }

  @Test
  void endsWhenItIsClosed() throws IOException {
    Answer socket = ScriptedServer.socket(READY, STARTED, LOGGED).stayingOpen();
    try (ScriptedServer server = ScriptedServer.answering(page(STARTED), socket)) {
      Iterator<ExecutionEvent> iterator;
      try (EventStream events = execution(server).follow()) {
        iterator = events.iterator();
        assertEquals("01A", iterator.next().ulid());
        assertEquals("01B", iterator.next().ulid());
      }
      CallCancelledException closed = assertThrows(CallCancelledException.class, iterator::hasNext);
      assertEquals(RUN, closed.executionId().orElseThrow());
      server.awaitClosed(1);
    }
  }

  @Test
  void cannotBeIteratedAfterTheEnd() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(page(STARTED, ENDED));
        EventStream events = execution(server).follow()) {
      Iterator<ExecutionEvent> iterator = events.iterator();
      iterator.next();
      iterator.next();
      assertFalse(iterator.hasNext());
      assertThrows(IllegalStateException.class, events::iterator);
    }
  }

  @Test
  void requiresATransportWithSockets() throws IOException {
    ClientOptions.Builder options =
        ClientOptions.builder().transport(HttpClient.newHttpClient()::sendAsync);
    try (ScriptedServer server = ScriptedServer.answering(page());
        EventStream events = execution(server, options).follow()) {
      ConfigurationException failure =
          assertThrows(ConfigurationException.class, () -> events.iterator().hasNext());
      assertTrue(failure.getMessage().contains("withSocketsOf"), failure.getMessage());
    }
  }

  @Test
  void usesTheSocketsOfAnotherTransport() throws IOException {
    Transport standard = Transport.standard();
    List<String> sent = new ArrayList<>();
    Transport traced =
        (request, bodyHandler) -> {
          sent.add(request.method());
          return standard.send(request, bodyHandler);
        };
    ClientOptions.Builder options =
        ClientOptions.builder().transport(traced.withSocketsOf(standard));
    try (ScriptedServer server = ScriptedServer.answering(LOST_ONCE);
        EventStream events = execution(server, options).follow()) {
      assertEquals(4, events.stream().count());
      assertEquals(List.of("GET", "GET"), sent);
    }
  }

  /** A WebSocket that delivers a message whenever one is requested, and may then fail. */
  private static final class ScriptedSocket implements Transport {
    final AtomicInteger requested = new AtomicInteger();
    WebSocket.Listener listener;
    Throwable failure;
    boolean sendsBinary;

    /** Why pings cannot be sent, or null if they are sent but not answered. */
    IOException unsent;

    private final List<String> messages;
    private final WebSocket socket =
        (WebSocket)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WebSocket.class},
                (proxy, method, arguments) -> answer(method.getName()));

    ScriptedSocket(String... messages) {
      this.messages = List.of(messages);
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(
        HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<WebSocket> openSocket(
        URI address, Map<String, String> headers, WebSocket.Listener to) {
      listener = to;
      to.onOpen(socket);
      return CompletableFuture.completedFuture(socket);
    }

    private Object answer(String method) {
      if (method.equals("request")) {
        int before = requested.getAndIncrement();
        if (before < messages.size()) {
          listener.onText(socket, messages.get(before), true);
        } else if (sendsBinary) {
          listener.onBinary(socket, ByteBuffer.allocate(1), true);
        } else if (failure != null) {
          listener.onError(socket, failure);
        }
      }
      return switch (method) {
        case "isOutputClosed" -> true;
        case "sendPing" ->
            unsent == null ? new CompletableFuture<>() : CompletableFuture.failedFuture(unsent);
        default -> null;
      };
    }
  }
}
