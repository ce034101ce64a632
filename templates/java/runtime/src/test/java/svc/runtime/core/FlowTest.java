package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.FlowPausedException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.ServerException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.WaitTimedOutException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Runs of flows. */
@Timeout(60)
class FlowTest {
  private static final String GRAPH = "0c0ffee00c0ffee00c0ffee00c0ffee0";
  private static final String RUN = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");
  private static final Answer RUNNING = record("RUNNING");
  private static final Answer COMPLETED = record("COMPLETED");
  private static final Answer EVENTS =
      ScriptedServer.json(
          200, "{\"events\":[{\"type\":\"FLOW_COMPLETED\",\"output\":{\"text\":\"late\"}}]}");

  private static Answer record(String status) {
    return ScriptedServer.json(
        200, "{\"execution_id\":\"" + RUN + "\",\"status\":\"" + status + "\"}");
  }

  private static Answer accepted(String fields) {
    return ScriptedServer.json(202, "{\"execution_id\":\"" + RUN + "\"" + fields + "}");
  }

  private static ServiceConnection connection(ScriptedServer server) {
    return ServiceConnection.open(
        "test/1", ClientOptions.builder().apiKey("key").baseUrl(server.url()).build());
  }

  private static JsonObject run(ScriptedServer server, CallOptions options) {
    ServiceConnection connection = connection(server);
    return Blocking.call(
        options, own -> connection.runFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, own));
  }

  private static <T extends SvcException> T failure(Class<T> type, Answer... answers)
      throws IOException {
    return failure(Duration.ofSeconds(30), type, answers);
  }

  private static <T extends SvcException> T failure(
      Duration timeout, Class<T> type, Answer... answers) throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      CallOptions options = CallOptions.builder().timeout(timeout).build();
      return assertThrows(type, () -> run(server, options));
    }
  }

  @Test
  void returnsTheOutput() throws IOException {
    Answer answer = accepted(",\"result\":{\"success\":true,\"output\":{\"text\":\"back\"}}");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      assertEquals("{\"text\":\"back\"}", run(server, CallOptions.none()).toString());
      server.assertPosted(
          "/invocations/v1/flows/invoke",
          "{\"graph_id\":\""
              + GRAPH
              + "\",\"input\":{\"text\":\"hello\"},\"wait\":true,\"timeout_seconds\":50}");
    }
  }

  /**
   * The service forgets the idempotency key of a run after five minutes. Other requests do not
   * depend on a key.
   */
  @Test
  void retriesNothingThatStartsARunAfterFiveMinutes() {
    Map<String, Function<ServiceConnection, CompletableFuture<?>>> calls =
        Map.of(
            "run",
            each -> each.runFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none()),
            "fork",
            each -> each.execution(RUN, Codecs.STRUCT).forkAsync(Fork.latest()),
            "node",
            each -> each.callNode("/n", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none()),
            "stream",
            each ->
                each.streamFlowAsync(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
                    .response(),
            "read",
            each -> each.execution(RUN, Codecs.STRUCT).getAsync());
    calls.forEach(
        (name, call) -> {
          AtomicInteger attempts = new AtomicInteger();
          AtomicLong clock = new AtomicLong();
          Transport hanging =
              (request, bodyHandler) -> {
                attempts.incrementAndGet();
                clock.addAndGet(Duration.ofMinutes(5).toNanos());
                return CompletableFuture.failedFuture(new IOException("lost"));
              };
          ClientOptions options =
              ClientOptions.builder()
                  .apiKey("key")
                  .baseUrl("http://test")
                  .retryDelay(Duration.ZERO, Duration.ZERO)
                  .transport(hanging)
                  .build();
          ServiceConnection connection = ServiceConnection.open("test/1", options, clock::get);
          CompletableFuture<?> failing = call.apply(connection);
          assertThrows(CompletionException.class, failing::join, name);
          assertEquals(List.of("run", "fork").contains(name) ? 1 : 3, attempts.get(), name);
        });
  }

  @Test
  void namesTheRunIfTheThreadIsInterruptedBeforeACall() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(RUNNING)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      List<Executable> calls =
          List.of(
              execution::await,
              execution::get,
              execution::cancel,
              execution::pauses,
              () -> execution.resume("p1", PauseDecision.ofDefault()),
              () -> execution.fork(Fork.latest()),
              () -> execution.events().count(),
              () -> execution.follow().iterator().hasNext());
      for (Executable call : calls) {
        Thread.currentThread().interrupt();
        CallCancelledException failure = assertThrows(CallCancelledException.class, call);
        assertTrue(Thread.interrupted());
        assertEquals(RUN, failure.executionId().orElseThrow());
      }
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void namesTheRunIfTheThreadIsInterrupted() throws IOException {
    for (Answer[] answers :
        List.of(
            new Answer[] {accepted(""), record("RUNNING")},
            new Answer[] {accepted(""), ScriptedServer.silence()})) {
      try (ScriptedServer server = ScriptedServer.answering(answers)) {
        CallOptions options = CallOptions.builder().idempotencyKey("k-1").build();
        Thread caller = Thread.currentThread();
        CompletableFuture.runAsync(
            () -> {
              server.awaitRequests(2);
              caller.interrupt();
            });
        CallCancelledException failure =
            assertThrows(CallCancelledException.class, () -> run(server, options));
        assertTrue(Thread.interrupted());
        assertEquals(RUN, failure.executionId().orElseThrow());
        assertEquals("k-1", failure.idempotencyKey().orElseThrow());
      }
    }
  }

  @Test
  void rejectsARepeatedCursor() throws IOException {
    Answer page = ScriptedServer.json(200, "{\"events\":[],\"next_cursor\":\"c1\"}");
    try (ScriptedServer server = ScriptedServer.answering(page)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      assertThrows(InvalidResponseException.class, () -> execution.events().count());
      assertEquals(2, server.requests().size());
    }
  }

  @Test
  void succeedsIfALostAttemptCancelledTheRun() throws IOException {
    Answer lost = ScriptedServer.json(503, "{}").with("retry-after", "0");
    Answer refused = ScriptedServer.json(409, "{\"error\":\"EXECUTION_NOT_CANCELLABLE\"}");
    try (ScriptedServer server = ScriptedServer.answering(lost, refused, record("CANCELLED"))) {
      ExecutionRecord record = connection(server).execution(RUN, Codecs.STRUCT).cancel();
      assertEquals(ExecutionStatus.CANCELLED, record.status());
      assertEquals(3, server.requests().size());
    }
    try (ScriptedServer server = ScriptedServer.answering(lost, refused, COMPLETED)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      StatusException failure = assertThrows(StatusException.class, execution::cancel);
      assertEquals(409, failure.status().orElseThrow());
    }
    try (ScriptedServer server = ScriptedServer.answering(refused)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      assertThrows(StatusException.class, execution::cancel);
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void recordsAreReadFromJson() {
    ExecutionRecord record =
        ExecutionRecord.fromJson("{\"execution_id\":\"e1\",\"status\":\"FAILED\"}");
    assertEquals("e1", record.id());
    assertEquals(ExecutionStatus.FAILED, record.status());
    assertThrows(
        InvalidMessageException.class, () -> ExecutionRecord.fromJson("{\"status\":\"FAILED\"}"));
    ExecutionEvent event = ExecutionEvent.fromJson("{\"type\":\"NODE_LOG\",\"node_name\":\"a\"}");
    assertEquals("NODE_LOG", event.type());
    assertEquals("a", event.nodeName().orElseThrow());
    assertThrows(InvalidMessageException.class, () -> ExecutionEvent.fromJson("[]"));
  }

  @Test
  void asksForAWaitWithinTheAttemptTimeout() throws IOException {
    Answer answer = accepted(",\"result\":{\"success\":true,\"output\":{\"text\":\"back\"}}");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      run(server, CallOptions.builder().attemptTimeout(Duration.ofMillis(5_900)).build());
      String body = server.requests().get(0).body();
      assertTrue(body.endsWith(",\"wait\":true,\"timeout_seconds\":4}"), body);
    }
  }

  @Test
  void pollsARun() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(accepted(""), RUNNING, COMPLETED, EVENTS)) {
      assertEquals("{\"text\":\"late\"}", run(server, CallOptions.none()).toString());
      assertEquals(4, server.requests().size());
    }
  }

  @Test
  void reportsHowARunEnded() throws IOException {
    FlowFailedException failed =
        failure(
            FlowFailedException.class,
            accepted(",\"result\":{\"success\":false,\"error_message\":\"lost\"}"));
    assertEquals("lost (execution " + RUN + ")", failed.getMessage());
    FlowPausedException paused =
        failure(
            FlowPausedException.class,
            accepted(",\"execution_status\":\"PAUSED\",\"pause_id\":\"p1\""));
    assertEquals("p1", paused.pauseId().orElseThrow());
    WaitTimedOutException late =
        failure(Duration.ofSeconds(3), WaitTimedOutException.class, accepted(""), RUNNING);
    assertEquals(RUN, late.executionId().orElseThrow());
    // The timeout may expire during a poll.
    String state = "; it (continues to run|may still be running)";
    assertTrue(
        late.getMessage().matches("execution " + RUN + " did not end within 3000 ms" + state),
        late.getMessage());
  }

  @Test
  void reportsWhyAPollFailed() throws IOException {
    Answer down = ScriptedServer.json(500, "{\"error\":\"db down\"}");
    WaitTimedOutException late =
        failure(Duration.ofSeconds(5), WaitTimedOutException.class, accepted(""), RUNNING, down);
    assertEquals(
        "execution "
            + RUN
            + " did not end within 5000 ms; it may still be running; reading it failed: db down"
            + " (HTTP 500, execution "
            + RUN
            + ")",
        late.getMessage());
    assertInstanceOf(ServerException.class, late.getCause());
  }

  @Test
  void logsAFailedPollAsARetry() throws IOException {
    Answer down = ScriptedServer.json(503, "{}").with("retry-after", "0.3");
    try (ScriptedServer server = ScriptedServer.answering(accepted(""), down, COMPLETED, EVENTS)) {
      Lines lines = new Lines();
      ClientOptions options =
          ClientOptions.builder().apiKey("key").baseUrl(server.url()).logger(lines).build();
      ServiceConnection.open("test/1", options)
          .runFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
          .join();
      List<String> retries = lines.all.stream().filter(line -> line.contains("retried")).toList();
      assertEquals(1, retries.size(), lines.all::toString);
      String look = "GET /invocations/v1/executions/" + RUN + ", attempt 1, is retried in ";
      // Up to half a second of jitter is added to Retry-After.
      String millis = "[3-8][0-9]{2} ms: no error message .HTTP 503, execution " + RUN + ".";
      assertTrue(retries.get(0).startsWith(look), retries.get(0));
      assertTrue(retries.get(0).substring(look.length()).matches(millis), retries.get(0));
      assertEquals(5, lines.all.size(), lines.all::toString);
    }
  }

  /** Answers to a wait. Some of them never arrive completely. */
  private static List<List<Answer>> lateAnswers() {
    Answer stalled = ScriptedServer.stalled("{\"execution_id\":\"" + RUN + "\"}");
    return List.of(
        List.of(ScriptedServer.silence(), stalled, COMPLETED, EVENTS),
        List.of(COMPLETED, ScriptedServer.silence(), COMPLETED, EVENTS));
  }

  @ParameterizedTest
  @MethodSource("lateAnswers")
  void looksAgainWhenALookIsNotAnsweredInTime(List<Answer> late) throws IOException {
    Duration longestLook = Duration.ofSeconds(3);
    Answer[] answers = late.toArray(new Answer[0]);
    try (ScriptedServer server = ScriptedServer.answering(answers);
        ScriptedServer other = ScriptedServer.answering(answers)) {
      CompletableFuture<JsonObject> future =
          connection(other)
              .execution(RUN, Codecs.STRUCT)
              .awaitAsync(CallOptions.none(), longestLook);
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      JsonObject output =
          Blocking.call(CallOptions.none(), own -> execution.awaitAsync(own, longestLook));
      assertEquals("{\"text\":\"late\"}", output.toString());
      assertEquals(4, server.requests().size());
      assertEquals("{\"text\":\"late\"}", future.join().toString());
      assertEquals(4, other.requests().size());
    }
  }

  @Test
  void reportsAPollThatTimedOut() throws IOException {
    CallOptions options = CallOptions.builder().timeout(Duration.ofSeconds(3)).build();
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      WaitTimedOutException late =
          assertThrows(
              WaitTimedOutException.class,
              () ->
                  Blocking.call(options, own -> execution.awaitAsync(own, Duration.ofMillis(400))));
      assertInstanceOf(ConnectionException.class, late.getCause());
      assertEquals(
          "the attempt did not complete within its timeout of 400 ms (execution " + RUN + ")",
          late.getCause().getMessage());
      assertTrue(late.getMessage().endsWith(late.getCause().getMessage()), late.getMessage());
    }
  }

  @Test
  void limitsAPollByTheAttemptTimeout() throws IOException {
    CallOptions options = CallOptions.builder().attemptTimeout(Duration.ofSeconds(2)).build();
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.silence(), COMPLETED, EVENTS)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      assertEquals("{\"text\":\"late\"}", execution.await(options).toString());
      assertEquals(3, server.requests().size());
    }
  }

  @Test
  void doesNotReportAnOutageThatIsOver() throws IOException {
    Answer down = ScriptedServer.json(500, "{\"error\":\"db down\"}");
    WaitTimedOutException late =
        failure(Duration.ofSeconds(4), WaitTimedOutException.class, accepted(""), down, RUNNING);
    assertFalse(late.getMessage().contains("db down"), late.getMessage());
    assertNull(late.getCause());
  }

  /** With another idempotency key, the same call would start a second run. */
  @Test
  void reportsTheIdempotencyKeyThatStartedTheRun() throws IOException {
    Answer paused =
        ScriptedServer.json(
            200, "{\"execution_id\":\"" + RUN + "\",\"status\":\"RUNNING\",\"pause_id\":\"p1\"}");
    Answer failed = ScriptedServer.json(200, "{\"events\":[{\"type\":\"FLOW_FAILED\"}]}");
    CallOptions options =
        CallOptions.builder().idempotencyKey("k1").timeout(Duration.ofMillis(1500)).build();
    for (Answer[] polled :
        List.of(
            new Answer[] {RUNNING},
            new Answer[] {paused},
            new Answer[] {COMPLETED, failed},
            new Answer[] {ScriptedServer.json(400, "{}")})) {
      List<Answer> script = new ArrayList<>(List.of(polled));
      script.add(0, accepted(""));
      try (ScriptedServer server = ScriptedServer.answering(script.toArray(new Answer[0]))) {
        SvcException failure = assertThrows(SvcException.class, () -> run(server, options));
        assertEquals("k1", failure.idempotencyKey().orElseThrow(), failure.toString());
      }
    }
    try (ScriptedServer server = ScriptedServer.answering(accepted(""), COMPLETED, EVENTS)) {
      ServiceConnection connection = connection(server);
      RawResponse<JsonObject> response =
          RawResponse.of(
                  CallOptions.builder().idempotencyKey("k1").build(),
                  own -> connection.runFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, own))
              .join();
      assertEquals("k1", response.idempotencyKey().orElseThrow());
      assertTrue(server.requests().stream().skip(1).noneMatch(FlowTest::hasKey));
    }
    try (ScriptedServer server =
        ScriptedServer.answering(accepted(""), COMPLETED, failed, COMPLETED, failed)) {
      ServiceConnection connection = connection(server);
      Execution<JsonObject> started =
          connection.startFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, options).join();
      SvcException failure = assertThrows(SvcException.class, started::await);
      assertEquals("k1", failure.idempotencyKey().orElseThrow());
      Execution<JsonObject> found = connection.execution(RUN, Codecs.STRUCT);
      failure = assertThrows(SvcException.class, found::await);
      assertTrue(failure.idempotencyKey().isEmpty());
    }
  }

  private static boolean hasKey(ScriptedServer.Request request) {
    return request.headers().containsKey("idempotency-key");
  }

  @Test
  void startsARunAndFindsItById() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(accepted(""), COMPLETED)) {
      ServiceConnection connection = connection(server);
      Execution<JsonObject> started =
          Blocking.call(
              CallOptions.none(),
              own -> connection.startFlow(GRAPH, Codecs.STRUCT, Codecs.STRUCT, INPUT, own));
      ExecutionRecord record = connection.execution(started.id(), Codecs.STRUCT).get();
      assertEquals(RUN, record.id());
      assertTrue(record.hasEnded());
    }
  }

  @Test
  void readsAllPagesOfEvents() throws IOException {
    Answer first =
        ScriptedServer.json(
            200, "{\"events\":[{\"type\":\"A\",\"timestamp_ms\":5}],\"next_cursor\":\"c&1\"}");
    try (ScriptedServer server = ScriptedServer.answering(first, EVENTS)) {
      EventFilter filter = EventFilter.ofTypes("A", "FLOW_COMPLETED").withPageSize(1);
      List<ExecutionEvent> events =
          connection(server).execution(RUN, Codecs.STRUCT).events(filter).toList();
      assertEquals(
          List.of("A", "FLOW_COMPLETED"), events.stream().map(ExecutionEvent::type).toList());
      assertEquals(5, events.get(0).time().toEpochMilli());
      assertTrue(server.requests().get(1).path().endsWith("&limit=1&cursor=c%261"));
    }
    try (ScriptedServer server = ScriptedServer.answering(first, EVENTS)) {
      EventFilter filter = EventFilter.ALL.withPageSize(1);
      List<ExecutionEvent> events =
          connection(server).execution(RUN, Codecs.STRUCT).eventsAsync(filter).join();
      assertEquals(2, events.size());
    }
  }

  @Test
  void readsManyPagesThatAreAvailableAtOnce() {
    AtomicInteger pages = new AtomicInteger();
    Transport transport =
        new FixedTransport(
            request ->
                pages.incrementAndGet() < 5_000
                    ? "{\"events\":[],\"next_cursor\":\"c" + pages + "\"}"
                    : "{\"events\":[{\"type\":\"FLOW_COMPLETED\"}]}");
    ClientOptions options =
        ClientOptions.builder()
            .apiKey("key")
            .baseUrl("http://127.0.0.1")
            .transport(transport)
            .build();
    Execution<JsonObject> execution =
        ServiceConnection.open("test/1", options).execution(RUN, Codecs.STRUCT);
    assertEquals(1, execution.eventsAsync().join().size());
  }

  @Test
  void rejectsNullBeforeEventsAreRead() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(COMPLETED)) {
      Execution<JsonObject> execution = connection(server).execution(RUN, Codecs.STRUCT);
      for (Executable wrong :
          List.<Executable>of(() -> execution.events(null), () -> execution.eventsAsync(null))) {
        assertEquals("filter", assertThrows(NullPointerException.class, wrong).getMessage());
      }
      assertThrows(NullPointerException.class, () -> execution.events(EventFilter.ALL, null));
    }
  }

  @Test
  void cancelsARun() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(record("CANCELLED"))) {
      ExecutionRecord record = connection(server).execution(RUN, Codecs.STRUCT).cancel();
      assertEquals(ExecutionStatus.CANCELLED, record.status());
      server.assertPosted("/invocations/v1/executions/" + RUN + "/cancel", "{}");
    }
  }

  @Test
  void keepsAnUnknownStatus() throws IOException {
    Answer answer =
        ScriptedServer.json(
            200,
            "{\"execution_id\":\""
                + RUN
                + "\",\"status\":\"ASLEEP\",\"created_at\":\"2026-01-31T09:30:00.5Z\"}");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      ExecutionRecord record = connection(server).execution(RUN, Codecs.STRUCT).get();
      assertEquals(ExecutionStatus.UNRECOGNIZED, record.status());
      assertEquals("ASLEEP", record.statusAsString());
      assertEquals(Instant.parse("2026-01-31T09:30:00.5Z"), record.createdAt().orElseThrow());
      assertTrue(record.completedAt().isEmpty());
    }
  }

  @Test
  void includesTheExecutionInFailuresAndResponses() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(accepted(""), ScriptedServer.json(400, "{}"))) {
      List<ServiceResponse> answers = new ArrayList<>();
      CallOptions options = CallOptions.builder().onResponse(answers::add).build();
      SvcException failure = assertThrows(SvcException.class, () -> run(server, options));
      assertEquals(RUN, failure.executionId().orElseThrow());
      assertEquals(2, answers.size());
      for (ServiceResponse answer : answers) {
        assertEquals(RUN, answer.executionId().orElseThrow());
      }
    }
  }

  @Test
  void warms() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      ServiceConnection connection = connection(server);
      Blocking.call(CallOptions.none(), own -> connection.warmFlow(GRAPH, own));
      server.assertPosted("/invocations/v1/flows/warm", "{\"graph_id\":\"" + GRAPH + "\"}");
    }
  }

  @Test
  void rejectsMalformedIds() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(COMPLETED)) {
      ServiceConnection connection = connection(server);
      for (String id : List.of("", "../../admin", RUN + "0")) {
        assertThrows(InvalidMessageException.class, () -> connection.execution(id, Codecs.STRUCT));
      }
      assertEquals(0, server.requests().size());
    }
  }
}
