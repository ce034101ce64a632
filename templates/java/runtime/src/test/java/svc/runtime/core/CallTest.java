package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.BadRequestException;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.IdempotencyMismatchException;
import svc.runtime.errors.InterruptedResponseException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.QuotaExceededException;
import svc.runtime.errors.RateLimitedException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Node calls: responses, retries, timeouts and cancellation. */
@Timeout(60)
class CallTest {
  private static final String KEY = "svc-key-of-the-tests";
  private static final JsonObject INPUT = JsonObject.parse("{\"text\":\"hello\"}");

  private static ClientOptions.Builder options(String url) {
    return ClientOptions.builder()
        .apiKey(KEY)
        .baseUrl(url)
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private static CompletableFuture<JsonObject> call(
      ServiceConnection connection, CallOptions options) {
    return connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, options);
  }

  private static JsonObject callAndWait(ServiceConnection connection, CallOptions options) {
    return Blocking.call(options, own -> call(connection, own));
  }

  private static JsonObject call(ScriptedServer server, CallOptions options) {
    return callAndWait(ServiceConnection.open("test/1", options(server.url()).build()), options);
  }

  private static <T extends SvcException> T failure(Class<T> type, Answer... answers)
      throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      return assertThrows(type, () -> call(server, CallOptions.none()));
    }
  }

  @Test
  void returnsTheOutputAndTheResponse() throws IOException {
    Answer answer = ScriptedServer.json(200, "{\"back\":1}").with("x-execution-id", "e1");
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      AtomicReference<ServiceResponse> raw = new AtomicReference<>();
      CallOptions options = CallOptions.builder().onResponse(raw::set).header("x-own", "1").build();
      assertEquals("{\"back\":1}", call(server, options).toString());
      assertEquals(200, raw.get().status());
      assertEquals("{\"back\":1}", raw.get().body());
      assertEquals("e1", raw.get().executionId().orElseThrow());
      server.assertPosted("/node", "{\"text\":\"hello\"}");
      var headers = server.requests().get(0).headers();
      assertEquals("Bearer " + KEY, headers.get("authorization"));
      assertEquals("test/1", headers.get("x-svc-client"));
      assertEquals("1", headers.get("x-own"));
    }
  }

  @Test
  void retriesWithTheSameIdempotencyKey() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{}"),
            ScriptedServer.cut("{\"half\":1}"),
            ScriptedServer.json(200, "{}"))) {
      call(server, CallOptions.none());
      call(server, CallOptions.none());
      List<String> keys =
          server.requests().stream().map(each -> each.headers().get("idempotency-key")).toList();
      assertEquals(4, keys.size());
      assertEquals(keys.get(0), keys.get(1));
      assertEquals(keys.get(0), keys.get(2));
      assertNotEquals(keys.get(0), keys.get(3));
    }
  }

  @Test
  void sendsTheIdempotencyKeyOfTheCaller() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      call(server, CallOptions.builder().idempotencyKey("own").build());
      assertEquals("own", server.requests().get(0).headers().get("idempotency-key"));
    }
  }

  @Test
  void doesNotRetryPermanentFailures() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(400, "{}"))) {
      assertThrows(BadRequestException.class, () -> call(server, CallOptions.none()));
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void stopsRetryingWhenTheBudgetIsExhausted() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(500, "{}"))) {
      ClientOptions options = options(server.url()).retryBudget(10).build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      for (int i = 0; i < 8; i++) {
        assertThrows(SvcException.class, () -> callAndWait(connection, CallOptions.none()));
      }
      assertEquals(8 + 10, server.requests().size());
    }
  }

  @Test
  void mapsErrorStatusesToExceptions() throws IOException {
    String body = "{\"error_message\":\"no words\",\"execution_id\":\"e2\"}";
    NodeFailedException failed = failure(NodeFailedException.class, ScriptedServer.json(422, body));
    assertEquals("no words (HTTP 422, execution e2)", failed.getMessage());
    assertEquals(422, failed.status().orElseThrow());
    assertEquals(body, failed.body().orElseThrow());
    assertEquals("e2", failed.executionId().orElseThrow());

    String quota = "{\"error\":\"quota_exceeded\",\"retry_after_seconds\":90}";
    SvcException exceeded = failure(QuotaExceededException.class, ScriptedServer.json(429, quota));
    assertEquals(Duration.ofSeconds(90), exceeded.retryAfter().orElseThrow());
    assertEquals("quota_exceeded", exceeded.code().orElseThrow());
    assertInstanceOf(RateLimitedException.class, exceeded);
    failure(UpstreamUnavailableException.class, ScriptedServer.json(503, ""));
    failure(InvalidResponseException.class, ScriptedServer.json(200, "[]"));
    String page =
        failure(InvalidResponseException.class, ScriptedServer.json(200, "<html>")).getMessage();
    assertTrue(page.endsWith("(HTTP 200)"), page);
    failure(InterruptedResponseException.class, ScriptedServer.cut("{\"half\":1}"));
  }

  @Test
  void includesTheRequestIdInFailures() throws IOException {
    Answer[] answers = {
      ScriptedServer.json(404, "{\"error_message\":\"gone\",\"execution_id\":\"e2\"}"),
      ScriptedServer.json(200, "[]"),
      ScriptedServer.cut("{\"half\":1}")
    };
    String[] messages = {
      "gone (HTTP 404, execution e2, request 7d1f)",
      "invalid response: ",
      "the response was cut off"
    };
    for (int i = 0; i < answers.length; i++) {
      SvcException failure = failure(SvcException.class, answers[i].with("x-request-id", "7d1f"));
      assertEquals("7d1f", failure.requestId().orElseThrow());
      assertTrue(failure.getMessage().startsWith(messages[i]), failure.getMessage());
      assertTrue(failure.getMessage().endsWith("request 7d1f)"), failure.getMessage());
    }
    SvcException unnamed = failure(SvcException.class, ScriptedServer.json(404, "{}"));
    assertTrue(unnamed.requestId().isEmpty());
    assertEquals("no error message (HTTP 404)", unnamed.getMessage());
  }

  @Test
  void rejectsTheResponseToAnotherRequest() throws IOException {
    Answer other =
        ScriptedServer.json(200, "{\"execution_id\":\"e1\"}")
            .with("idempotency-mismatch", "graph_id, input")
            .with("x-request-id", "7d1f");
    try (ScriptedServer server = ScriptedServer.answering(other)) {
      CallOptions options = CallOptions.builder().idempotencyKey("own").build();
      IdempotencyMismatchException failure =
          assertThrows(IdempotencyMismatchException.class, () -> call(server, options));
      assertEquals(
          "the idempotency key belongs to an earlier request that differs in its flow and input"
              + " (execution e1, request 7d1f)",
          failure.getMessage());
      assertEquals("e1", failure.executionId().orElseThrow());
      assertEquals("own", failure.idempotencyKey().orElseThrow());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void reportsTheStatusOfATruncatedErrorResponse() throws IOException {
    Answer cut =
        new Answer(400, Map.of("x-execution-id", "e1"), "{\"message\":\"no\"}", true, false);
    Answer unavailable = new Answer(503, Map.of(), "{\"message\":\"no\"}", true, false);
    for (boolean isBlocking : new boolean[] {true, false}) {
      try (ScriptedServer server = ScriptedServer.answering(cut)) {
        ServiceConnection connection =
            ServiceConnection.open("test/1", options(server.url()).build());
        SvcException failure = failure(connection, isBlocking);
        assertInstanceOf(BadRequestException.class, failure);
        assertEquals("{\"messag", failure.body().orElseThrow());
        assertEquals("e1", failure.executionId().orElseThrow());
        assertEquals(1, server.requests().size());
      }
      try (ScriptedServer server = ScriptedServer.answering(unavailable)) {
        ServiceConnection connection =
            ServiceConnection.open("test/1", options(server.url()).build());
        assertInstanceOf(UpstreamUnavailableException.class, failure(connection, isBlocking));
        assertEquals(3, server.requests().size());
      }
    }
  }

  @Test
  void timesOutWhileAnErrorResponseStalls() throws IOException {
    Answer stalled = new Answer(400, Map.of(), "{\"message\":\"no\"}", true, true);
    for (boolean isBlocking : new boolean[] {true, false}) {
      try (ScriptedServer server = ScriptedServer.answering(stalled)) {
        ClientOptions options = options(server.url()).timeout(Duration.ofMillis(300)).build();
        ServiceConnection connection = ServiceConnection.open("test/1", options);
        assertInstanceOf(CallTimedOutException.class, failure(connection, isBlocking));
      }
    }
  }

  private static SvcException failure(ServiceConnection connection, boolean isBlocking) {
    if (isBlocking) {
      return assertThrows(SvcException.class, () -> callAndWait(connection, CallOptions.none()));
    }
    CompletableFuture<JsonObject> future = call(connection, CallOptions.none());
    Throwable failure = assertThrows(ExecutionException.class, future::get).getCause();
    return assertInstanceOf(SvcException.class, failure);
  }

  @Test
  void refundsTheRetryOfASuccessfulCall() throws IOException {
    Answer down = ScriptedServer.json(503, "{}");
    Answer up = ScriptedServer.json(200, "{}");
    try (ScriptedServer server = ScriptedServer.answering(down, up, down, up, down, up, up, down)) {
      ClientOptions options = options(server.url()).retryBudget(1).build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      for (int i = 0; i < 4; i++) {
        callAndWait(connection, CallOptions.none());
      }
      SvcException failure =
          assertThrows(SvcException.class, () -> callAndWait(connection, CallOptions.none()));
      assertEquals(
          "no error message (HTTP 503); not tried again: the retry budget is empty",
          failure.getMessage());
      assertEquals(9, server.requests().size());
    }
  }

  @Test
  void neverRefundsMoreThanTheBudget() {
    RetryBudget budget = new RetryBudget(1);
    budget.succeeded(true);
    assertTrue(budget.take());
    assertFalse(budget.take());
    for (int i = 0; i < 9; i++) {
      budget.succeeded(false);
      assertFalse(budget.take());
    }
    budget.succeeded(false);
    assertTrue(budget.take());
  }

  @Test
  void doesNotRedactShortKeys() throws IOException {
    Answer refusal = ScriptedServer.json(400, "{\"error\":\"bad_test\",\"message\":\"the test\"}");
    for (String key : List.of("test", "e")) {
      try (ScriptedServer server = ScriptedServer.answering(refusal)) {
        ClientOptions options = options(server.url()).apiKey(key).build();
        ServiceConnection connection = ServiceConnection.open("test/1", options);
        SvcException failure =
            assertThrows(SvcException.class, () -> callAndWait(connection, CallOptions.none()));
        assertEquals("the test (HTTP 400)", failure.getMessage());
        assertEquals("bad_test", failure.code().orElseThrow());
        assertEquals(refusal.body(), failure.body().orElseThrow());
      }
    }
  }

  @Test
  void redactsExceptionsAndNeverValues() throws IOException {
    String body = "{\"back\":\"this is a test of keys\"}";
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, body))) {
      for (String key : List.of("test", "e")) {
        AtomicReference<ServiceResponse> raw = new AtomicReference<>();
        ClientOptions options = options(server.url()).apiKey(key).build();
        ServiceConnection connection = ServiceConnection.open("test/1", options);
        CallOptions listening = CallOptions.builder().onResponse(raw::set).build();
        assertEquals(body, callAndWait(connection, listening).toString());
        assertEquals(body, raw.get().body());
      }
    }
    SvcException failure =
        failure(
            BadRequestException.class, ScriptedServer.json(400, "{\"message\":\"" + KEY + "\"}"));
    assertFalse((failure.getMessage() + failure.body()).contains(KEY));
  }

  /**
   * Opens a connection whose first attempt has one of its ten seconds left, because the provider of
   * the key appears to have used the rest. Later attempts have a key, and all of their time.
   */
  private static ServiceConnection withAHurriedAttempt(ClientOptions.Builder options) {
    AtomicLong ahead = new AtomicLong();
    Supplier<String> keys =
        () -> {
          ahead.addAndGet(Duration.ofSeconds(9).toNanos());
          return KEY;
        };
    return ServiceConnection.open(
        "test/1",
        options.apiKey(keys).attemptTimeout(Duration.ofSeconds(10)).build(),
        () -> System.nanoTime() + ahead.get());
  }

  /** Answers that leave a client waiting, before or within the response. */
  private static List<Answer> hanging() {
    return List.of(ScriptedServer.silence(), ScriptedServer.stalled("{\"half\":1}"));
  }

  @ParameterizedTest
  @MethodSource("hanging")
  void retriesABlockingAttemptThatHangs(Answer hanging) throws IOException {
    try (ScriptedServer server = hangingOnce(hanging)) {
      ServiceConnection connection = withAHurriedAttempt(options(server.url()));
      JsonObject output = callAndWait(connection, CallOptions.none());
      assertEquals("{\"back\":1}", output.toString());
      assertEquals(2, server.requests().size());
    }
  }

  @ParameterizedTest
  @MethodSource("hanging")
  void retriesAnAttemptThatHangs(Answer hanging) throws IOException {
    try (ScriptedServer server = hangingOnce(hanging)) {
      ServiceConnection connection = withAHurriedAttempt(options(server.url()));
      JsonObject output = call(connection, CallOptions.none()).join();
      assertEquals("{\"back\":1}", output.toString());
      assertEquals(2, server.requests().size());
    }
  }

  private static ScriptedServer hangingOnce(Answer hanging) throws IOException {
    return ScriptedServer.answering(hanging, ScriptedServer.json(200, "{\"back\":1}"));
  }

  @ParameterizedTest
  @MethodSource("hanging")
  void reportsAnAttemptThatHangsAlike(Answer hanging) throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(hanging);
        ScriptedServer other = ScriptedServer.answering(hanging)) {
      CompletableFuture<JsonObject> future = call(impatient(other), CallOptions.none());
      List<Throwable> failures =
          List.of(
              assertThrows(
                  ConnectionException.class,
                  () -> callAndWait(impatient(server), CallOptions.none())),
              assertThrows(ExecutionException.class, future::get).getCause());
      for (Throwable failure : failures) {
        assertEquals(
            "the attempt did not complete within its timeout of 2000 ms", failure.getMessage());
        assertInstanceOf(HttpTimeoutException.class, failure.getCause());
      }
      assertSame(failures.get(0).getClass(), failures.get(1).getClass());
    }
  }

  private static ServiceConnection impatient(ScriptedServer server) {
    Duration limit = Duration.ofSeconds(2);
    return ServiceConnection.open(
        "test/1", options(server.url()).maxRetries(0).attemptTimeout(limit).build());
  }

  @Test
  void cancelsOnlyTheLateAttempt() {
    CompletableFuture<Void> firstIsLate = new CompletableFuture<>();
    AtomicInteger sent = new AtomicInteger();
    Transport transport =
        (request, bodyHandler) -> {
          if (sent.incrementAndGet() > 1) {
            return firstIsLate.thenCompose(
                nothing -> new FixedTransport(each -> "{\"back\":1}").send(request, bodyHandler));
          }
          CompletableFuture<HttpResponse<byte[]>> first = new LateToTell<>(firstIsLate);
          CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
              .execute(() -> first.completeExceptionally(new IOException("lost")));
          return first;
        };
    ServiceConnection connection =
        withAHurriedAttempt(options("http://127.0.0.1:9").transport(transport));
    assertEquals("{\"back\":1}", call(connection, CallOptions.none()).join().toString());
    assertEquals(2, sent.get());
  }

  /** A response that completes before the timer of its attempt is cancelled. */
  private static final class LateToTell<T> extends CompletableFuture<T> {
    private final CompletableFuture<Void> cancelled;

    LateToTell(CompletableFuture<Void> cancelled) {
      this.cancelled = cancelled;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      cancelled.complete(null);
      return super.cancel(mayInterrupt);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>() {
        @Override
        public <V> CompletableFuture<V> newIncompleteFuture() {
          return new Deaf<>();
        }
      };
    }
  }

  /** A future whose completion does not cancel the timer. */
  private static final class Deaf<T> extends CompletableFuture<T> {
    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
      return this;
    }

    @Override
    public <V> CompletableFuture<V> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }

  @Test
  void retriesRateLimitedRequests() throws IOException {
    Answer limited = ScriptedServer.json(429, "{}").with("retry-after", "1");
    try (ScriptedServer server =
        ScriptedServer.answering(limited, limited, ScriptedServer.json(200, "{\"back\":1}"))) {
      ClientOptions options = options(server.url()).maxRetries(1).retryBudget(0).build();
      AtomicReference<ServiceResponse> raw = new AtomicReference<>();
      CallOptions listening = CallOptions.builder().onResponse(raw::set).build();
      callAndWait(ServiceConnection.open("test/1", options), listening);
      assertEquals(3, raw.get().attempts());
    }
    try (ScriptedServer server = ScriptedServer.answering(limited)) {
      CallOptions once = CallOptions.builder().maxRetries(0).build();
      assertThrows(RateLimitedException.class, () -> call(server, once));
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void countsARetryAfterLessThanASecond() throws IOException {
    for (String delay : List.of("0", "0.001", "0.2")) {
      Answer limited = ScriptedServer.json(429, "{}").with("retry-after", delay);
      try (ScriptedServer server = ScriptedServer.answering(limited)) {
        CallOptions once = CallOptions.builder().maxRetries(1).build();
        assertThrows(RateLimitedException.class, () -> call(server, once));
        assertEquals(2, server.requests().size());
      }
    }
  }

  @Test
  void addsJitterToRetryAfterWithinTheTimeout() {
    ErrorDetails details = ErrorDetails.builder().retryAfter(Duration.ofSeconds(2)).build();
    SvcException failure = new SvcException("limited", details);
    Settings settings = Settings.of(options("http://svc.invalid").build());
    Duration asked = Duration.ofSeconds(2);
    for (int i = 0; i < 100; i++) {
      Duration wait = RetryPolicy.spread(asked, failure, settings, Duration.ofSeconds(3));
      assertTrue(wait.compareTo(asked) >= 0, wait::toString);
      assertTrue(wait.compareTo(Duration.ofSeconds(3)) < 0, wait::toString);
    }
    SvcException silent = new SvcException("down", ErrorDetails.NONE);
    assertEquals(asked, RetryPolicy.spread(asked, silent, settings, Duration.ofDays(1)));
  }

  @Test
  void addsJitterIfTheServiceAsksForNoDelay() {
    ErrorDetails details = ErrorDetails.builder().retryAfter(Duration.ZERO).build();
    SvcException failure = new SvcException("limited", details);
    ClientOptions patient =
        options("http://svc.invalid").retryDelay(Duration.ofHours(1), Duration.ofHours(1)).build();
    Set<Duration> waits = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Duration wait =
          RetryPolicy.spread(Duration.ZERO, failure, Settings.of(patient), Duration.ofDays(1));
      assertTrue(wait.compareTo(Duration.ofSeconds(1)) < 0, wait::toString);
      waits.add(wait);
    }
    assertTrue(waits.size() > 1, waits::toString);
  }

  /** The service forgets idempotency keys after five minutes. */
  @Test
  void startsNoRetryFourMinutesAfterAnAttemptThatMayHaveBeenProcessed() {
    Duration hour = Duration.ofHours(1);
    assertEquals(Duration.ofMinutes(3), RetryPolicy.timeLeft(hour, Duration.ofMinutes(1)));
    assertEquals(
        Duration.ofSeconds(5), RetryPolicy.timeLeft(Duration.ofSeconds(5), Duration.ofMinutes(1)));
    assertTrue(RetryPolicy.timeLeft(hour, Duration.ofMinutes(5)).isNegative());
  }

  @Test
  void logsAnEmptyRetryBudget() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(500, "{}"))) {
      Lines lines = new Lines();
      ClientOptions options = options(server.url()).retryBudget(0).logger(lines).build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      assertThrows(SvcException.class, () -> callAndWait(connection, CallOptions.none()));
      assertEquals(1, server.requests().size());
      assertTrue(lines.all.get(1).contains("retry budget is empty"), lines.all.get(1));
    }
  }

  @Test
  void reportsAttemptsInFailures() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(503, "{}"))) {
      CallOptions options = CallOptions.builder().idempotencyKey("own").build();
      SvcException failure = assertThrows(SvcException.class, () -> call(server, options));
      assertEquals(3, failure.attempts());
      assertEquals("own", failure.idempotencyKey().orElseThrow());
    }
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      CallOptions options =
          CallOptions.builder().idempotencyKey("own").timeout(Duration.ofSeconds(1)).build();
      SvcException failure = assertThrows(CallTimedOutException.class, () -> call(server, options));
      assertEquals("the call did not complete within its timeout of 1000 ms", failure.getMessage());
      assertEquals(1, failure.attempts());
      assertEquals("own", failure.idempotencyKey().orElseThrow());
    }
  }

  @Test
  void reportsTheEarlierFailureInATimeout() throws IOException {
    Answer down = ScriptedServer.json(503, "{\"error\":\"db down\"}").with("retry-after", "0");
    try (ScriptedServer server = ScriptedServer.answering(down, ScriptedServer.silence())) {
      CallOptions options = CallOptions.builder().timeout(Duration.ofSeconds(4)).build();
      SvcException failure = assertThrows(CallTimedOutException.class, () -> call(server, options));
      assertEquals(
          "the call did not complete within its timeout of 4000 ms; an earlier attempt failed: db"
              + " down (HTTP 503)",
          failure.getMessage());
      assertInstanceOf(UpstreamUnavailableException.class, failure.getCause());
    }
  }

  @Test
  void reportsARedirectWithItsAddress() throws IOException {
    Answer moved = ScriptedServer.json(308, "{}").with("location", "https://new.example.com/");
    StatusException failure = failure(StatusException.class, moved);
    assertTrue(failure.getMessage().contains("https://new.example.com/"), failure.getMessage());
  }

  @Test
  void appendsItselfToTheUserAgentOfTheCaller() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      call(server, CallOptions.builder().header("user-agent", "shop/2").build());
      assertEquals("shop/2 test/1", server.requests().get(0).headers().get("user-agent"));
    }
  }

  @Test
  void returnsTheResponseWithTheResult() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(200, "{\"back\":1}").with("x-request-id", "7d1f"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      RawResponse<JsonObject> response =
          Blocking.call(
              CallOptions.none(), options -> RawResponse.of(options, own -> call(connection, own)));
      assertEquals("7d1f", response.requestId().orElseThrow());
      assertEquals("{\"back\":1}", response.value().toString());
      assertEquals(200, response.status());
      assertEquals(1, response.attempts());
    }
  }

  @Test
  void throwsBugsOfATransportUnchanged() {
    RuntimeException broken = new IllegalArgumentException("broken");
    Map<String, Transport> transports =
        Map.of(
            "broken",
            (request, handler) -> {
              throw broken;
            },
            "the transport returned null",
            (request, handler) -> null,
            "the transport returned no response",
            (request, handler) -> CompletableFuture.completedFuture(null),
            "the transport returned a response without a body",
            new FixedTransport(request -> null));
    transports.forEach(
        (reason, transport) -> {
          AtomicInteger sent = new AtomicInteger();
          Transport counting =
              (request, handler) -> {
                sent.incrementAndGet();
                return transport.send(request, handler);
              };
          ServiceConnection connection =
              ServiceConnection.open(
                  "test/1", options("http://127.0.0.1").transport(counting).build());
          RuntimeException thrown =
              assertThrows(
                  RuntimeException.class, () -> callAndWait(connection, CallOptions.none()));
          CompletableFuture<JsonObject> future = call(connection, CallOptions.none());
          Throwable failure = assertThrows(ExecutionException.class, future::get).getCause();
          for (Throwable each : List.of(thrown, failure)) {
            assertEquals(reason, each.getMessage());
            assertFalse(each instanceof SvcException);
          }
          assertEquals(2, sent.get());
        });
  }

  @Test
  void retriesConnectionFailuresOfATransport() {
    for (Exception lost :
        List.of(new IOException("lost"), new UncheckedIOException(new IOException("lost")))) {
      AtomicInteger sent = new AtomicInteger();
      Transport transport =
          (request, handler) ->
              sent.incrementAndGet() == 1
                  ? CompletableFuture.failedFuture(lost)
                  : CompletableFuture.completedFuture(FixedResponse.of(request, 200, "{}"));
      ClientOptions options = options("http://127.0.0.1").transport(transport).build();
      callAndWait(ServiceConnection.open("test/1", options), CallOptions.none());
      assertEquals(2, sent.get());
    }
  }

  @Test
  void reportsATimeoutOfTheTransport() {
    AtomicInteger sent = new AtomicInteger();
    Transport impatient =
        (request, handler) -> {
          sent.incrementAndGet();
          return CompletableFuture.failedFuture(new HttpTimeoutException("request timed out"));
        };
    ServiceConnection connection =
        ServiceConnection.open("test/1", options("http://127.0.0.1").transport(impatient).build());
    for (boolean isBlocking : new boolean[] {true, false}) {
      SvcException failure = failure(connection, isBlocking);
      assertInstanceOf(CallTimedOutException.class, failure);
      assertInstanceOf(HttpTimeoutException.class, failure.getCause());
    }
    assertEquals(2, sent.get());
  }

  @Test
  void showsWhereACallWasMade() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(400, "{}"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      CompletableFuture<JsonObject> future = call(connection, CallOptions.none());
      Throwable thrown = assertThrows(ExecutionException.class, future::get).getCause();
      StackTraceElement[] original = thrown.getStackTrace();
      assertThrows(
          BadRequestException.class, () -> Blocking.call(CallOptions.none(), own -> future));
      assertArrayEquals(original, thrown.getStackTrace());
      String caller = List.of(thrown.getSuppressed()[0].getStackTrace()).toString();
      assertTrue(caller.contains("showsWhereACallWasMade"), caller);
      assertThrows(
          BadRequestException.class, () -> Blocking.call(CallOptions.none(), own -> future));
      assertEquals(1, thrown.getSuppressed().length);
    }
  }

  @Test
  void sharesOneTransport() {
    ServiceConnection one = ServiceConnection.open("test/1", options("http://127.0.0.1").build());
    ServiceConnection other = ServiceConnection.open("test/2", options("http://127.0.0.2").build());
    assertSame(one.settings().transport(), other.settings().transport());
  }

  @Test
  void rejectsCallsAfterClose() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      connection.close();
      assertThrows(ConfigurationException.class, () -> callAndWait(connection, CallOptions.none()));
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void reportsAnUnreachableService() throws IOException {
    // A socket that does not listen keeps other programs from using its port.
    try (Socket held = new Socket()) {
      held.bind(new InetSocketAddress("127.0.0.1", 0));
      String url = "http://127.0.0.1:" + held.getLocalPort();
      ServiceConnection connection = ServiceConnection.open("test/1", options(url).build());
      ConnectionException failure =
          assertThrows(
              ConnectionException.class, () -> callAndWait(connection, CallOptions.none()));
      assertEquals(
          "cannot reach the service at " + url + ": connection refused", failure.getMessage());
    }
  }

  @Test
  void reportsAMissingOrInvalidResponse() throws IOException {
    Map<Answer, String> messages =
        Map.of(
            ScriptedServer.end(),
            "no response from the service at URL: the connection ended",
            ScriptedServer.raw("HTTP/1.1 2"),
            "no response from the service at URL: the connection ended",
            ScriptedServer.raw("HTTP/1.1 200 OK\r\nx: "),
            "no response from the service at URL: the connection ended",
            ScriptedServer.raw("SSH-2.0\r\n\r\n"),
            "invalid HTTP response from the service at URL: Invalid status line: \"SSH-2.0\"",
            ScriptedServer.cut("{\"half\":1}"),
            "the response was cut off: the connection ended",
            ScriptedServer.json(200, "{").with("transfer-encoding", "chunked"),
            "the response was cut off: the connection ended");
    for (Map.Entry<Answer, String> each : messages.entrySet()) {
      try (ScriptedServer server = ScriptedServer.answering(each.getKey())) {
        ServiceConnection connection =
            ServiceConnection.open("test/1", options(server.url()).build());
        ConnectionException failure =
            assertThrows(
                ConnectionException.class, () -> callAndWait(connection, CallOptions.none()));
        assertEquals(each.getValue().replace("URL", server.url()), failure.getMessage());
        assertEquals(3, failure.attempts());
      }
    }
  }

  @Test
  void reportsHowAConnectionWasLost() {
    Map<IOException, String> messages =
        Map.of(
            new IOException(
                "HTTP/1.1 header parser received no bytes",
                new SocketException("Connection reset")),
            "no response from the service at http://127.0.0.1: Connection reset",
            new IOException("Broken pipe"),
            "no response from the service at http://127.0.0.1: Broken pipe",
            new EOFException(),
            "no response from the service at http://127.0.0.1: the connection ended",
            new IOException("the tunnel failed", new IOException("HTTP 502")),
            "cannot reach the service at http://127.0.0.1: the tunnel failed",
            new SSLHandshakeException("no handshake"),
            "cannot reach the service at http://127.0.0.1: no handshake");
    messages.forEach(
        (lost, message) -> {
          if (lost instanceof SSLHandshakeException) {
            lost.initCause(new EOFException("SSL peer shut down incorrectly"));
          }
          ClientOptions options =
              options("http://127.0.0.1")
                  .transport((request, handler) -> CompletableFuture.failedFuture(lost))
                  .build();
          ConnectionException failure =
              assertThrows(
                  ConnectionException.class,
                  () -> callAndWait(ServiceConnection.open("test/1", options), CallOptions.none()));
          assertEquals(message, failure.getMessage());
        });
  }

  @Test
  void reportsAnUnknownHost() {
    ServiceConnection connection =
        ServiceConnection.open("test/1", options("http://nope.invalid").build());
    ConnectionException failure =
        assertThrows(ConnectionException.class, () -> callAndWait(connection, CallOptions.none()));
    assertEquals(
        "cannot reach the service at http://nope.invalid: unknown host", failure.getMessage());
  }

  @Test
  void timesOut() throws IOException {
    for (Answer answer :
        List.of(ScriptedServer.silence(), ScriptedServer.stalled("{\"half\":1}"))) {
      try (ScriptedServer server = ScriptedServer.answering(answer)) {
        ServiceConnection connection =
            ServiceConnection.open("test/1", options(server.url()).build());
        CallOptions options = CallOptions.builder().timeout(Duration.ofMillis(100)).build();
        assertThrows(CallTimedOutException.class, () -> callAndWait(connection, options));
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> call(connection, options).get());
        assertInstanceOf(CallTimedOutException.class, failure.getCause());
        assertTrue(server.requests().size() <= 2);
      }
    }
  }

  @Test
  void timesOutEachOfManyCalls() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      List<CompletableFuture<JsonObject>> calls = new ArrayList<>();
      for (int millis : new int[] {60_000, 150, 50, 100}) {
        Duration timeout = Duration.ofMillis(millis);
        calls.add(call(connection, CallOptions.builder().timeout(timeout).build()));
      }
      for (CompletableFuture<JsonObject> each : calls.subList(1, 4)) {
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> each.get(50, TimeUnit.SECONDS));
        assertInstanceOf(CallTimedOutException.class, failure.getCause());
      }
      assertFalse(calls.get(0).isDone());
      calls.get(0).cancel(true);
    }
  }

  @Test
  void releasesATimerThatAnEarlierDeadlineReplaced() throws InterruptedException {
    WeakReference<Deadlines> left = deadlinesAfterCalls();
    for (int i = 0; i < 100 && left.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertNull(left.get());
  }

  /** Makes a call with a late deadline, then one whose deadline passes soon. */
  private static WeakReference<Deadlines> deadlinesAfterCalls() {
    Transport transport = new FixedTransport(request -> "{}");
    ServiceConnection connection =
        ServiceConnection.open("test/1", options("http://127.0.0.1").transport(transport).build());
    for (Duration timeout : List.of(Duration.ofDays(1), Duration.ofMillis(200))) {
      call(connection, CallOptions.builder().timeout(timeout).build());
    }
    return new WeakReference<>(connection.deadlines());
  }

  @Test
  void timesOutWhileACallbackOfAnotherCallBlocks() throws Exception {
    CompletableFuture<Void> released = new CompletableFuture<>();
    CountDownLatch blocked = new CountDownLatch(1);
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      CallOptions first = CallOptions.builder().timeout(Duration.ofMillis(50)).build();
      CallOptions second = CallOptions.builder().timeout(Duration.ofMillis(300)).build();
      call(connection, first)
          .whenComplete(
              (output, failure) -> {
                blocked.countDown();
                released.orTimeout(30, TimeUnit.SECONDS).join();
              });
      CompletableFuture<JsonObject> other = call(connection, second);
      assertTrue(blocked.await(20, TimeUnit.SECONDS));
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> other.get(20, TimeUnit.SECONDS));
      assertInstanceOf(CallTimedOutException.class, failure.getCause());
    } finally {
      released.complete(null);
    }
  }

  @Test
  void endsWhenItsFutureIsCancelled() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      CompletableFuture<JsonObject> future = call(connection, CallOptions.none());
      future.cancel(true);
      assertThrows(CancellationException.class, () -> future.get(50, TimeUnit.SECONDS));
    }
  }

  @Test
  void endsWhenItsThreadIsInterrupted() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      Thread.currentThread().interrupt();
      assertThrows(CallCancelledException.class, () -> call(server, CallOptions.none()));
      assertTrue(Thread.interrupted());
      assertEquals(0, server.requests().size());
    }
  }

  @Test
  void continuesOnWorkerThreads() throws IOException {
    Answer[] answers =
        Collections.nCopies(100, ScriptedServer.json(200, "{}")).toArray(Answer[]::new);
    try (ScriptedServer server = ScriptedServer.answering(answers)) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      Set<String> threads = new HashSet<>();
      for (int i = 0; i < answers.length; i++) {
        threads.add(
            call(connection, CallOptions.none())
                .thenApply(output -> Thread.currentThread().getName())
                .join());
      }
      // A call that has already ended continues on this thread.
      threads.remove(Thread.currentThread().getName());
      assertEquals(Set.of("svc worker"), threads);
    }
  }

  @Test
  void startsAsynchronouslyOnAnInterruptedThread() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(ScriptedServer.json(200, "{\"back\":1}"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      Thread.currentThread().interrupt();
      CompletableFuture<JsonObject> future = call(connection, CallOptions.none());
      assertTrue(Thread.interrupted());
      assertEquals("{\"back\":1}", future.join().toString());
    }
  }

  @Test
  void endsWhenItsThreadIsInterruptedDuringTheCall() throws IOException {
    for (Answer answer :
        List.of(ScriptedServer.silence(), ScriptedServer.stalled("{\"half\":1}"))) {
      try (ScriptedServer server = ScriptedServer.answering(answer)) {
        Thread caller = Thread.currentThread();
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(caller::interrupt);
        assertThrows(CallCancelledException.class, () -> call(server, CallOptions.none()));
        assertTrue(Thread.interrupted());
      }
    }
  }

  @Test
  void failsTheFutureWithTheSameException() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(400, "{}"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server.url()).build());
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> call(connection, CallOptions.none()).get());
      assertInstanceOf(BadRequestException.class, failure.getCause());
    }
  }

  @Test
  void supportsCustomTransports() {
    IOException refusal = new IOException("no " + KEY);
    Transport refusing = (request, handler) -> CompletableFuture.failedFuture(refusal);
    ServiceConnection connection =
        ServiceConnection.open("test/1", options("http://127.0.0.1").transport(refusing).build());
    ConnectionException failure =
        assertThrows(ConnectionException.class, () -> callAndWait(connection, CallOptions.none()));
    assertFalse(failure.getMessage().contains(KEY));
    assertEquals("no [redacted]", failure.getCause().getMessage().replaceFirst(".*: ", ""));
    assertArrayEquals(refusal.getStackTrace(), failure.getCause().getStackTrace());
  }

  /** The JDK fails this way when the process runs out of file descriptors. */
  @Test
  void reportsThatTheJdkCannotOpenAConnection() {
    InternalError failure = new InternalError(new SocketException("Too many open files"));
    Transport failing = (request, handler) -> CompletableFuture.failedFuture(failure);
    Transport throwing =
        (request, handler) -> {
          throw failure;
        };
    for (Transport transport : List.of(failing, throwing)) {
      ClientOptions options = options("http://127.0.0.1").transport(transport).build();
      ConnectionException reported =
          assertThrows(
              ConnectionException.class,
              () -> callAndWait(ServiceConnection.open("test/1", options), CallOptions.none()));
      assertTrue(reported.getMessage().endsWith(": Too many open files"), reported.getMessage());
      assertEquals(3, reported.attempts());
    }
  }

  @Test
  void logsEveryAttemptWithoutTheKey() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{\"message\":\"" + KEY + "\"}"),
            ScriptedServer.json(200, "{}"))) {
      Lines lines = new Lines();
      ClientOptions options = options(server.url()).logger(lines).build();
      callAndWait(ServiceConnection.open("test/1", options), CallOptions.none());
      assertEquals(3, lines.all.size());
      assertTrue(lines.all.get(0).contains("response 503"), lines.all.get(0));
      assertTrue(lines.all.get(1).contains("is retried"), lines.all.get(1));
      assertFalse(String.join("", lines.all).contains(KEY));
    }
  }

  @Test
  void rejectsMalformedOptions() {
    assertThrows(
        ConfigurationException.class, () -> ClientOptions.builder().timeout(Duration.ZERO));
    assertThrows(
        ConfigurationException.class, () -> CallOptions.builder().header("a", "b\r\nc: d"));
    assertThrows(
        ConfigurationException.class,
        () -> ServiceConnection.open("test/1", options("ftp://127.0.0.1").build()));
    assertThrows(
        ConfigurationException.class,
        () -> ServiceConnection.open("test/1", options("http://a:b@127.0.0.1").build()));
  }

  @Test
  void distinguishesInvalidUtf8FromReplacementCharacters() {
    byte[] broken = {'"', (byte) 0xff, '"'};
    assertFalse(Exchange.isUtf8(broken, new String(broken, StandardCharsets.UTF_8)));
    String sign = "\uFFFD";
    assertTrue(Exchange.isUtf8(sign.getBytes(StandardCharsets.UTF_8), sign));
  }

  @Test
  void ignoresExceptionsOfTheLogger() throws IOException {
    System.Logger broken =
        new Lines() {
          @Override
          public boolean isLoggable(Level level) {
            throw new IllegalStateException("broken");
          }
        };
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{}"), ScriptedServer.json(200, "{\"back\":1}"))) {
      ClientOptions options = options(server.url()).logger(broken).build();
      JsonObject output =
          callAndWait(ServiceConnection.open("test/1", options), CallOptions.none());
      assertEquals("{\"back\":1}", output.toString());
    }
  }

  @Test
  void ignoresAndLogsExceptionsOfTheListener() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{}"), ScriptedServer.json(200, "{\"back\":1}"))) {
      Lines lines = new Lines();
      ClientOptions options = options(server.url()).logger(lines).build();
      ServiceConnection connection = ServiceConnection.open("test/1", options);
      CallOptions listening =
          CallOptions.builder()
              .onResponse(
                  answer -> {
                    throw new IllegalStateException("broken by " + KEY);
                  })
              .build();
      RawResponse<JsonObject> response =
          Blocking.call(listening, given -> RawResponse.of(given, own -> call(connection, own)));
      assertEquals("{\"back\":1}", response.value().toString());
      assertEquals(200, response.status());
      String log = String.join("\n", lines.all);
      assertTrue(log.contains("onResponse listener failed: java.lang.IllegalStateException"), log);
      assertFalse(log.contains(KEY), log);
    }
  }

  @Test
  void reportsAnErrorWithAHugeRetryAfter() throws IOException {
    String body = "{\"error_message\":\"down\",\"retry_after_seconds\":1e999}";
    UpstreamUnavailableException failure =
        failure(UpstreamUnavailableException.class, ScriptedServer.json(503, body));
    assertEquals("down (HTTP 503)", failure.getMessage());
  }

  @Test
  void throwsAnErrorOfTheTransport() {
    AtomicInteger sent = new AtomicInteger();
    AssertionError wrong = new AssertionError("wrong path");
    Transport transport =
        (request, bodyHandler) -> {
          sent.incrementAndGet();
          return CompletableFuture.failedFuture(wrong);
        };
    ServiceConnection connection =
        ServiceConnection.open("test/1", options("http://127.0.0.1").transport(transport).build());
    assertSame(
        wrong,
        assertThrows(AssertionError.class, () -> callAndWait(connection, CallOptions.none())));
    assertEquals(1, sent.get());
  }
}
