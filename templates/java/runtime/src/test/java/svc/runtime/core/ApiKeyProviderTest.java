package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.runtime.core.ScriptedServer.Answer;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.UnauthorizedException;
import svc.runtime.errors.WaitTimedOutException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** API keys from a provider. */
@Timeout(60)
class ApiKeyProviderTest {
  private static final JsonObject INPUT = JsonObject.parse("{}");
  private static final Answer DONE = ScriptedServer.json(200, "{}");
  private static final Answer REFUSED = ScriptedServer.json(401, "{\"error\":\"invalid_key\"}");

  private final List<Optional<String>> asked = new CopyOnWriteArrayList<>();

  /** Returns a key with the number of the call. */
  private CompletableFuture<String> next(Optional<String> refused) {
    asked.add(refused);
    return CompletableFuture.completedFuture("svc-key-of-the-tests-" + asked.size());
  }

  private static ClientOptions.Builder options(ScriptedServer server) {
    return ClientOptions.builder()
        .baseUrl(server.url())
        .retryDelay(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  private ServiceConnection connection(ScriptedServer server) {
    return ServiceConnection.open("test/1", options(server).apiKeyProvider(this::next).build());
  }

  private static CompletableFuture<JsonObject> call(
      ServiceConnection connection, CallOptions options) {
    return connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, options);
  }

  private static JsonObject callAndWait(ServiceConnection connection) {
    return Blocking.call(CallOptions.none(), own -> call(connection, own));
  }

  private static Throwable failure(ServiceConnection connection, CallOptions options) {
    return assertThrows(CompletionException.class, () -> call(connection, options).join())
        .getCause();
  }

  private static List<String> keys(ScriptedServer server) {
    return server.requests().stream()
        .map(each -> each.headers().get("authorization").replaceFirst(".*-", ""))
        .toList();
  }

  @Test
  void keepsTheKey() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      ServiceConnection connection = connection(server);
      callAndWait(connection);
      call(connection, CallOptions.none()).join();
      assertEquals(List.of("1", "1"), keys(server));
      assertEquals(List.of(Optional.empty()), asked);
    }
  }

  @Test
  void acceptsABlockingSupplier() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(REFUSED, DONE)) {
      AtomicInteger calls = new AtomicInteger();
      Supplier<String> keys = () -> "key-" + calls.incrementAndGet();
      ClientOptions options = options(server).apiKey(keys).build().toBuilder().build();
      callAndWait(ServiceConnection.open("test/1", options));
      assertEquals(List.of("1", "2"), keys(server));
    }
  }

  @Test
  void asksForAnotherKeyAfterARejection() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(REFUSED, DONE)) {
      ServiceConnection connection = connection(server);
      call(connection, CallOptions.builder().maxRetries(0).build()).join();
      assertEquals(List.of("1", "2"), keys(server));
      assertEquals(List.of(Optional.empty(), Optional.of("svc-key-of-the-tests-1")), asked);
      String own = server.requests().get(0).headers().get("idempotency-key");
      assertEquals(own, server.requests().get(1).headers().get("idempotency-key"));
    }
  }

  @Test
  void asksForAnotherKeyOncePerRequest() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(REFUSED)) {
      ServiceConnection connection = connection(server);
      assertThrows(UnauthorizedException.class, () -> callAndWait(connection));
      assertEquals(List.of("1", "2"), keys(server));
      assertThrows(UnauthorizedException.class, () -> callAndWait(connection));
      assertEquals(List.of("1", "2", "3", "4"), keys(server));
    }
  }

  @Test
  void asksForAnotherKeyDuringAWait() throws IOException {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    Answer ended = ScriptedServer.json(200, "{\"events\":[{\"type\":\"FLOW_FAILED\"}]}");
    Answer record =
        ScriptedServer.json(200, "{\"execution_id\":\"" + id + "\",\"status\":\"FAILED\"}");
    try (ScriptedServer server = ScriptedServer.answering(REFUSED, record, REFUSED, ended)) {
      Execution<JsonObject> execution = connection(server).execution(id, Codecs.STRUCT);
      assertThrows(FlowFailedException.class, execution::await);
      assertEquals(List.of("1", "2", "2", "3"), keys(server));
    }
  }

  @Test
  void asksForAnotherKeyForALiveSession() throws IOException {
    Answer ready = ScriptedServer.socket("{\"type\":\"SESSION_READY\"}");
    try (ScriptedServer server = ScriptedServer.answering(REFUSED, ready.stayingOpen())) {
      connection(server)
          .openLive("/node", Codecs.STRUCT, Codecs.STRUCT, CallOptions.none())
          .join()
          .close();
      assertEquals(List.of("1", "2"), keys(server));
    }
  }

  @Test
  void doesNotResendStreamedInput() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(REFUSED)) {
      ServiceConnection connection = connection(server);
      for (String key : List.of("1", "2")) {
        try (FrameStream<JsonObject> stream =
            connection.uploadToNode(
                "/node", Codecs.STRUCT, Codecs.STRUCT, List.of(INPUT), CallOptions.none())) {
          assertThrows(UnauthorizedException.class, stream::response);
        }
        assertEquals(key, keys(server).get(keys(server).size() - 1));
      }
      assertEquals(2, server.requests().size());
    }
  }

  @Test
  void sharesTheKeyAmongConcurrentRequests() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      CompletableFuture<String> slow = new CompletableFuture<>();
      ApiKeyProvider provider =
          refused -> {
            asked.add(refused);
            return slow;
          };
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).apiKeyProvider(provider).build());
      List<CompletableFuture<JsonObject>> calls =
          Stream.generate(() -> call(connection, CallOptions.none())).limit(5).toList();
      slow.complete("key-1");
      calls.forEach(CompletableFuture::join);
      assertEquals(1, asked.size());
    }
  }

  @Test
  void retriesAFailedProvider() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      AtomicInteger calls = new AtomicInteger();
      Supplier<String> keys =
          () -> {
            if (calls.incrementAndGet() % 4 != 0) {
              throw new IllegalStateException("the vault is sealed");
            }
            return "key";
          };
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).apiKey(keys).build());
      ConnectionException failure =
          assertThrows(ConnectionException.class, () -> callAndWait(connection));
      assertEquals("the provider of the API key failed: the vault is sealed", failure.getMessage());
      assertInstanceOf(IllegalStateException.class, failure.getCause());
      assertEquals(3, failure.attempts());
      callAndWait(connection);
      assertEquals(4, calls.get());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void survivesTheEndOfACall() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      CompletableFuture<String> slow = new CompletableFuture<>();
      ApiKeyProvider provider =
          refused -> {
            asked.add(refused);
            return slow;
          };
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).apiKeyProvider(provider).build());
      CompletableFuture<JsonObject> patient = call(connection, CallOptions.none());
      CallOptions brief = CallOptions.builder().timeout(Duration.ofMillis(50)).build();
      assertThrows(
          CallTimedOutException.class, () -> Blocking.call(brief, own -> call(connection, own)));
      assertInstanceOf(CallTimedOutException.class, failure(connection, brief));
      call(connection, CallOptions.none()).cancel(true);
      CompletableFuture<JsonObject> later = call(connection, CallOptions.none());
      slow.complete("key-1");
      patient.join();
      later.join();
      assertEquals(1, asked.size());
      assertEquals(List.of("1", "1"), keys(server));
    }
  }

  @Test
  void asksAgainAfterAHungProvider() {
    CompletableFuture<String> hanging = new CompletableFuture<>();
    ApiKeyProvider provider =
        refused -> {
          asked.add(refused);
          return asked.size() == 1 ? hanging : CompletableFuture.completedFuture("key-2");
        };
    Secret secret = new Secret(provider, Duration.ofSeconds(2));
    List<CompletableFuture<String>> loads =
        Stream.generate(() -> secret.load(null)).limit(3).toList();
    for (CompletableFuture<String> load : loads) {
      assertInstanceOf(
          TimeoutException.class, assertThrows(CompletionException.class, load::join).getCause());
    }
    assertEquals("key-2", secret.load(null).join());
    hanging.complete("key-1");
    assertEquals("key-2", secret.load(null).join());
    assertEquals(2, asked.size());
  }

  @Test
  void limitsAHungProviderByTheAttemptTimeout() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      ApiKeyProvider provider = refused -> new CompletableFuture<>();
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).apiKeyProvider(provider).build());
      CallOptions brief = CallOptions.builder().attemptTimeout(Duration.ofMillis(50)).build();
      for (Throwable failure :
          List.of(
              failure(connection, brief),
              assertThrows(
                  ConnectionException.class,
                  () -> Blocking.call(brief, own -> call(connection, own))),
              assertThrows(
                      CompletionException.class,
                      () ->
                          connection.openLive("/node", Codecs.STRUCT, Codecs.STRUCT, brief).join())
                  .getCause())) {
        ConnectionException late = assertInstanceOf(ConnectionException.class, failure);
        assertEquals("the provider of the API key did not return it in time", late.getMessage());
        assertEquals(3, late.attempts());
      }
    }
  }

  @Test
  void countsASlowProviderTowardsTheAttemptTimeout() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence())) {
      Duration hour = Duration.ofHours(1);
      AtomicLong ahead = new AtomicLong();
      Supplier<String> keys =
          () -> {
            ahead.addAndGet(hour.minusMillis(300).toNanos());
            return "key";
          };
      ClientOptions options =
          options(server).apiKey(keys).attemptTimeout(hour).maxRetries(0).build();
      List<Function<ServiceConnection, Throwable>> ways =
          List.of(
              each -> failure(each, CallOptions.none()),
              each -> assertThrows(ConnectionException.class, () -> callAndWait(each)));
      for (Function<ServiceConnection, Throwable> way : ways) {
        // If the whole hour remained, the call would time out instead.
        Throwable late =
            way.apply(
                ServiceConnection.open("test/1", options, () -> System.nanoTime() + ahead.get()));
        assertEquals(
            "the attempt did not complete within its timeout of 3600000 ms", late.getMessage());
      }
    }
  }

  @Test
  void limitsAHungProviderByThePollTimeout() throws IOException {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      ApiKeyProvider provider = refused -> new CompletableFuture<>();
      ServiceConnection connection =
          ServiceConnection.open("test/1", options(server).apiKeyProvider(provider).build());
      Execution<JsonObject> execution = connection.execution(id, Codecs.STRUCT);
      CallOptions options = CallOptions.builder().timeout(Duration.ofSeconds(3)).build();
      WaitTimedOutException late =
          assertThrows(
              WaitTimedOutException.class,
              () ->
                  Blocking.call(options, own -> execution.awaitAsync(own, Duration.ofMillis(100))));
      assertInstanceOf(ConnectionException.class, late.getCause());
      assertTrue(late.getMessage().contains("the provider of the API key"), late.getMessage());
    }
  }

  @Test
  void rejectsAKeyThatIsInvalidInAHeader() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(DONE)) {
      for (String wrong : new String[] {null, "", "svc key", "svc-key\n"}) {
        ClientOptions options = options(server).apiKey(() -> wrong).build();
        Throwable failure = failure(ServiceConnection.open("test/1", options), CallOptions.none());
        assertInstanceOf(ConfigurationException.class, failure);
        assertFalse(failure.getMessage().contains("svc-key"), failure.getMessage());
      }
      assertTrue(server.requests().isEmpty());
    }
  }

  @Test
  void redactsProvidedKeys() throws IOException {
    String body = "{\"message\":\"svc-key-of-the-tests-1, svc-key-of-the-tests-2\"}";
    try (ScriptedServer server =
        ScriptedServer.answering(REFUSED, ScriptedServer.json(400, body))) {
      Throwable failure = failure(connection(server), CallOptions.none());
      assertEquals("[redacted], [redacted] (HTTP 400)", failure.getMessage());
    }
  }
}
