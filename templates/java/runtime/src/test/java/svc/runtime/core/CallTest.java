package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.BadRequestException;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.InterruptedAnswerException;
import svc.runtime.errors.InvalidAnswerException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.QuotaExceededException;
import svc.runtime.errors.RateLimitedException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.json.Codecs;
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

  private static CompletableFuture<JsonObject> call(Connection connection, CallOptions options) {
    return connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, options);
  }

  private static JsonObject callAndWait(Connection connection, CallOptions options) {
    return Blocking.call(options, own -> call(connection, own));
  }

  private static JsonObject call(ScriptedServer server, CallOptions options) {
    return callAndWait(Connection.open("test/1", options(server.url()).build()), options);
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
      AtomicReference<RawAnswer> raw = new AtomicReference<>();
      CallOptions options = CallOptions.builder().onAnswer(raw::set).header("x-own", "1").build();
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
      Connection connection = Connection.open("test/1", options(server.url()).build());
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
    failure(InvalidAnswerException.class, ScriptedServer.json(200, "[]"));
    failure(InterruptedAnswerException.class, ScriptedServer.cut("{\"half\":1}"));
  }

  @Test
  void reportsAnUnreachableService() throws IOException {
    ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"));
    server.close();
    assertThrows(ConnectionException.class, () -> call(server, CallOptions.none()));
  }

  @Test
  void timesOut() throws IOException {
    for (Answer answer :
        List.of(ScriptedServer.silence(), ScriptedServer.stalled("{\"half\":1}"))) {
      try (ScriptedServer server = ScriptedServer.answering(answer)) {
        Connection connection = Connection.open("test/1", options(server.url()).build());
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
      Connection connection = Connection.open("test/1", options(server.url()).build());
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
  void endsWhenItsFutureIsCancelled() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      Connection connection = Connection.open("test/1", options(server.url()).build());
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
  void failsAlikeAsAFuture() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(400, "{}"))) {
      Connection connection = Connection.open("test/1", options(server.url()).build());
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> call(connection, CallOptions.none()).get());
      assertInstanceOf(BadRequestException.class, failure.getCause());
    }
  }

  @Test
  void supportsCustomTransports() {
    Transport refusing =
        (request, handler) -> CompletableFuture.failedFuture(new IOException("no " + KEY));
    Connection connection =
        Connection.open("test/1", options("http://127.0.0.1").transport(refusing).build());
    ConnectionException failure =
        assertThrows(ConnectionException.class, () -> callAndWait(connection, CallOptions.none()));
    assertFalse(failure.getMessage().contains(KEY));
    assertEquals(null, failure.getCause());
  }

  @Test
  void logsEveryAttemptWithoutTheKey() throws IOException {
    try (ScriptedServer server =
        ScriptedServer.answering(
            ScriptedServer.json(503, "{\"message\":\"" + KEY + "\"}"),
            ScriptedServer.json(200, "{}"))) {
      Lines lines = new Lines();
      ClientOptions options = options(server.url()).logger(lines).build();
      callAndWait(Connection.open("test/1", options), CallOptions.none());
      assertEquals(3, lines.all.size());
      assertTrue(lines.all.get(0).contains("answered 503"), lines.all.get(0));
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
        () -> Connection.open("test/1", options("ftp://127.0.0.1").build()));
    assertThrows(
        ConfigurationException.class,
        () -> Connection.open("test/1", options("http://a:b@127.0.0.1").build()));
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
      JsonObject output = callAndWait(Connection.open("test/1", options), CallOptions.none());
      assertEquals("{\"back\":1}", output.toString());
    }
  }

  @Test
  void reportsAnErrorWithAHugeRetryAfter() throws IOException {
    String body = "{\"error_message\":\"down\",\"retry_after_seconds\":1e999}";
    UpstreamUnavailableException failure =
        failure(UpstreamUnavailableException.class, ScriptedServer.json(503, body));
    assertEquals("down (HTTP 503)", failure.getMessage());
  }

  /** Collects log messages. */
  private static class Lines implements System.Logger {
    final List<String> all = new ArrayList<>();

    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      all.add(message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... params) {
      all.add(format);
    }
  }
}
