package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.UnauthorizedException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** Proxies that require a password. */
@Timeout(60)
class ProxyPasswordTest {
  private static final JsonObject INPUT = JsonObject.parse("{}");

  /** Options for a service behind a proxy. */
  private static ClientOptions.Builder behind(ScriptedServer proxy, String baseUrl) {
    InetSocketAddress place = new InetSocketAddress("127.0.0.1", URI.create(proxy.url()).getPort());
    return ClientOptions.builder()
        .apiKey("key")
        .baseUrl(baseUrl)
        .retryDelay(Duration.ZERO, Duration.ofMillis(1))
        .httpClient(HttpClient.newBuilder().proxy(ProxySelector.of(place)).build());
  }

  @Test
  void isRequestedByAStatusThatIsNotRetried() throws IOException {
    for (String baseUrl : List.of("https://svc.example", "http://svc.example")) {
      for (boolean isWrapped : new boolean[] {false, true}) {
        try (ScriptedServer proxy =
            ScriptedServer.answering(
                ScriptedServer.json(407, "").with("proxy-authenticate", "Basic realm=\"p\""))) {
          ClientOptions options = behind(proxy, baseUrl).build();
          if (isWrapped) {
            Transport inner = options.transport;
            Transport outer = (request, handler) -> inner.send(request, handler);
            options = options.toBuilder().transport(outer.withSocketsOf(inner)).build();
          }
          ServiceConnection connection = ServiceConnection.open("test/1", options);
          List<Executable> calls =
              List.of(
                  () -> call(connection),
                  () -> callAsync(connection),
                  () ->
                      connection
                          .streamNode(
                              "/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none())
                          .iterator()
                          .hasNext(),
                  () -> openSession(connection));
          for (Executable call : calls) {
            StatusException refusal = assertThrows(StatusException.class, call);
            assertEquals(407, refusal.status().orElseThrow());
            assertTrue(
                refusal.getMessage().startsWith("the proxy refused the request"),
                refusal::getMessage);
          }
          assertEquals(calls.size(), proxy.requests().size());
        }
      }
    }
  }

  private static void call(ServiceConnection connection) {
    Blocking.call(
        CallOptions.none(),
        own -> connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, own));
  }

  private static void callAsync(ServiceConnection connection) {
    try {
      connection.callNode("/node", Codecs.STRUCT, Codecs.STRUCT, INPUT, CallOptions.none()).join();
    } catch (CompletionException failure) {
      throw assertInstanceOf(SvcException.class, failure.getCause());
    }
  }

  private static void openSession(ServiceConnection connection) {
    Blocking.call(
        CallOptions.none(), own -> connection.openLive("/node", Codecs.STRUCT, Codecs.STRUCT, own));
  }

  /**
   * With an authenticator, some JDKs drop the API key, and then fail because the rejection of the
   * service lacks a header.
   */
  @Test
  void rejectsAnAuthenticatorThatDropsTheKey() throws IOException {
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(401, "{}"))) {
      HttpClient client = HttpClient.newBuilder().authenticator(new Authenticator() {}).build();
      ServiceConnection connection =
          ServiceConnection.open(
              "test/1",
              ClientOptions.builder()
                  .apiKey("key")
                  .baseUrl(server.url())
                  .httpClient(client)
                  .build());
      List<Executable> calls =
          List.of(
              () -> call(connection), () -> callAsync(connection), () -> openSession(connection));
      for (Executable call : calls) {
        SvcException refusal = assertThrows(SvcException.class, call);
        if (server.requests().get(0).headers().containsKey("authorization")) {
          assertInstanceOf(UnauthorizedException.class, refusal);
        } else {
          assertInstanceOf(ConfigurationException.class, refusal);
          assertTrue(refusal.getMessage().contains("authenticator"), refusal::getMessage);
        }
      }
      assertEquals(calls.size(), server.requests().size());
    }
  }

  @Test
  void isSentOnlyToProxies() throws IOException {
    String header = "Proxy-Authorization";
    String login = "Basic dXNlcjpwYXNzd29yZA==";
    try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"))) {
      ClientOptions options = behind(server, "http://svc.example").header(header, login).build();
      call(ServiceConnection.open("test/1", options));
      call(
          ServiceConnection.open(
              "test/1",
              options.toBuilder().baseUrl(server.url()).transport(Transport.standard()).build()));
      assertEquals(login, server.requests().get(0).headers().get(header.toLowerCase(Locale.ROOT)));
      assertNull(server.requests().get(1).headers().get(header.toLowerCase(Locale.ROOT)));
    }
  }
}
