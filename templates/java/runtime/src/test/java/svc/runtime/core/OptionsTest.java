package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Options of clients, calls and lists. */
@Timeout(60)
class OptionsTest {
  /** Enough headers that the result is unlikely to be right by chance. */
  private static final int HEADERS = 10;

  private static Map<String, String> sent(ClientOptions.Builder options, CallOptions own)
      throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      ServiceConnection connection =
          ServiceConnection.open("test/1", options.apiKey("key").baseUrl(server.url()).build());
      JsonObject input = JsonObject.parse("{}");
      connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, input, own).join();
      return server.requests().get(0).headers();
    }
  }

  @Test
  void theLastHeaderOfANameWinsIgnoringCase() throws IOException {
    ClientOptions.Builder client = ClientOptions.builder();
    CallOptions.Builder call = CallOptions.builder();
    for (int i = 0; i < HEADERS; i++) {
      client.header("x-client-" + i, "first").header("X-Client-" + i, "last");
      client.header("X-Both-" + i, "client");
      call.header("x-both-" + i, "call");
      call.header("X-Call-" + i, "first").header("x-call-" + i, "last");
    }
    Map<String, String> headers = sent(client, call.build());
    for (int i = 0; i < HEADERS; i++) {
      assertEquals("last", headers.get("x-client-" + i));
      assertEquals("call", headers.get("x-both-" + i));
      assertEquals("last", headers.get("x-call-" + i));
    }
  }

  @Test
  void headersOfTheSdkAreRejectedWithTheRightOption() {
    Map<String, String> refused =
        Map.of(
            "Authorization", "apiKey",
            "idempotency-key", "idempotencyKey",
            "Last-Event-ID", "outputAfter",
            "Accept", "cannot be changed",
            "content-type", "cannot be changed",
            "X-Svc-Client", "cannot be changed",
            "Accept-Encoding", "compressed",
            "Content-Length", "cannot be changed");
    refused.forEach(
        (name, hint) -> {
          ConfigurationException ofClient =
              assertThrows(
                  ConfigurationException.class, () -> ClientOptions.builder().header(name, "1"));
          ConfigurationException ofCall =
              assertThrows(
                  ConfigurationException.class, () -> CallOptions.builder().header(name, "1"));
          assertEquals(ofClient.getMessage(), ofCall.getMessage());
          assertTrue(ofCall.getMessage().contains(name), ofCall::getMessage);
          assertTrue(ofCall.getMessage().contains(hint), ofCall::getMessage);
        });
  }

  @Test
  void canBeDerived() throws IOException {
    ClientOptions client =
        ClientOptions.builder()
            .timeout(Duration.ofSeconds(7))
            .maxRetries(1)
            .header("x-client", "1")
            .build();
    ClientOptions derived = client.toBuilder().maxRetries(4).header("x-derived", "1").build();
    assertEquals(1, client.maxRetries);
    assertEquals(4, derived.maxRetries);
    assertEquals(client.timeout, derived.timeout);
    CallOptions call =
        CallOptions.builder().noTimeout().header("x-call", "1").idempotencyKey("own").build();
    CallOptions other = call.toBuilder().header("x-other", "secret").maxRetries(0).build();
    Map<String, String> headers = sent(derived.toBuilder(), other);
    for (String name : List.of("x-client", "x-derived", "x-call")) {
      assertEquals("1", headers.get(name), name);
    }
    assertEquals("own", headers.get("idempotency-key"));
  }

  @Test
  void showOptionsThatAreSet() {
    assertEquals("CallOptions[]", CallOptions.none().toString());
    CallOptions call =
        CallOptions.builder()
            .noTimeout()
            .maxRetries(0)
            .header("x-own", "secret")
            .idempotencyKey("own")
            .build();
    assertEquals(
        "CallOptions[timeout=none, maxRetries=0, headers=[x-own], idempotencyKey=own]",
        call.toString());
    assertEquals("ClientOptions[]", ClientOptions.defaults().toString());
    assertEquals(
        "ClientOptions[timeout=none]", ClientOptions.builder().noTimeout().build().toString());
    ClientOptions client =
        ClientOptions.builder()
            .apiKey("secret")
            .baseUrl("http://svc")
            .timeout(Duration.ofSeconds(7))
            .attemptTimeout(Duration.ofSeconds(3))
            .connectTimeout(Duration.ofSeconds(1))
            .maxRetries(1)
            .retryBudget(5)
            .retryDelay(Duration.ofSeconds(1), Duration.ofSeconds(8))
            .header("x-own", "secret")
            .build();
    assertEquals(
        "ClientOptions[baseUrl=http://svc, timeout=PT7S, attemptTimeout=PT3S, connectTimeout=PT1S,"
            + " maxRetries=1, retryBudget=5, retryDelay=PT1S to PT8S, headers=[x-own]]",
        client.toString());
  }

  @Test
  void doNotShowThePasswordOfABaseUrl() {
    Map<String, String> shown =
        Map.of(
            "http://user:secret@svc/path?token=secret", "http://[redacted]@svc/path?[redacted]",
            "user:secret@svc/path", "[redacted]@svc/path",
            "https://user:secret\nsecret@svc?secret\nsecret", "https://[redacted]@svc?[redacted]",
            "https://svc.example.com/path", "https://svc.example.com/path");
    shown.forEach(
        (url, text) ->
            assertEquals(
                "ClientOptions[baseUrl=" + text + "]",
                ClientOptions.builder().baseUrl(url).build().toString()));
  }

  @Test
  void reportsWhatIsWrongWithABaseUrl() {
    Map<String, String> reasons =
        Map.of(
            "svc.example.com", "must be an HTTP or HTTPS URL",
            "http://svc.example.com ", "spaces or line breaks",
            "http://my_svc:8080", "underscores",
            "http://svc.example.com:65536", "port");
    reasons.forEach(
        (url, reason) -> {
          ClientOptions options = ClientOptions.builder().apiKey("key").baseUrl(url).build();
          ConfigurationException refused =
              assertThrows(
                  ConfigurationException.class, () -> ServiceConnection.open("test/1", options));
          assertTrue(refused.getMessage().contains(reason), refused::getMessage);
        });
  }

  @Test
  void namesTheNullFilter() {
    String[] none = null;
    Executable unset = () -> EventFilter.ofTypes(none);
    assertEquals("types", assertThrows(NullPointerException.class, unset).getMessage());
    Executable first = () -> PauseFilter.ofStatuses(null, PauseStatus.WAITING);
    assertEquals("statuses[0]", assertThrows(NullPointerException.class, first).getMessage());
    Executable second = () -> EventFilter.ofTypes("NODE_STARTED", null);
    assertEquals("types[1]", assertThrows(NullPointerException.class, second).getMessage());
  }

  @Test
  void limitsPageSizes() {
    for (int size : new int[] {-1, 0, 1001}) {
      assertThrows(ConfigurationException.class, () -> EventFilter.ALL.withPageSize(size));
      assertThrows(ConfigurationException.class, () -> PauseFilter.ALL.withPageSize(size));
    }
    assertEquals(1, EventFilter.ALL.withPageSize(1).pageSize().orElseThrow());
    assertEquals(1000, PauseFilter.ALL.withPageSize(1000).pageSize().orElseThrow());
  }
}
