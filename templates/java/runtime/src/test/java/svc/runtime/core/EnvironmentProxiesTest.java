package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.runtime.errors.ConfigurationException;

/** Proxies of the environment. */
class EnvironmentProxiesTest {
  private static String proxyOf(String address, Map<String, String> environment) {
    List<Proxy> proxies = EnvironmentProxies.of(environment).select(URI.create(address));
    assertEquals(1, proxies.size());
    return proxies.get(0).address() instanceof InetSocketAddress place
        ? place.getHostString() + ":" + place.getPort()
        : "none";
  }

  @Test
  void followsTheScheme() {
    Map<String, String> both =
        Map.of("HTTP_PROXY", "http://127.0.0.1:81", "https_proxy", "127.0.0.1:82");
    assertEquals("127.0.0.1:81", proxyOf("http://svc.example.com", both));
    assertEquals("127.0.0.1:82", proxyOf("https://svc.example.com", both));
    assertEquals("none", proxyOf("http://svc.example.com", Map.of()));
  }

  @Test
  void findsHostAndPort() {
    Map<String, String> places =
        Map.of(
            "HTTP://user:p@ss@127.0.0.1/path", "127.0.0.1:80",
            "http://[::1]:81", "0:0:0:0:0:0:0:1:81");
    places.forEach(
        (proxy, place) ->
            assertEquals(place, proxyOf("http://svc.example.com", Map.of("HTTP_PROXY", proxy))));
  }

  @Test
  void namesTheMalformedVariable() {
    for (String wrong :
        List.of("socks5://127.0.0.1:1080", "http://127.0.0.1:x", "127.0.0.1:65536", "a_b", "::1")) {
      ConfigurationException refused =
          assertThrows(
              ConfigurationException.class,
              () -> proxyOf("https://svc.example.com", Map.of("HTTPS_PROXY", wrong)));
      assertTrue(
          refused.getMessage().contains("HTTPS_PROXY must be the address of an HTTP proxy"),
          refused::getMessage);
      assertFalse(refused.getMessage().contains(wrong), refused::getMessage);
    }
  }

  @Test
  void exceptsTheLocalMachineAndListedHosts() {
    Map<String, String> all =
        Map.of("HTTP_PROXY", "127.0.0.1:81", "NO_PROXY", "example.com, *.internal");
    assertEquals("none", proxyOf("http://127.0.0.1:8080", all));
    assertEquals("none", proxyOf("http://localhost", all));
    assertEquals("none", proxyOf("http://svc.example.com", all));
    assertEquals("none", proxyOf("http://svc.internal", all));
    assertEquals("127.0.0.1:81", proxyOf("http://notexample.com", all));
    assertEquals("none", proxyOf("http://a.b", Map.of("HTTP_PROXY", "a:1", "no_proxy", "*")));
    Map<String, String> ports = Map.of("HTTP_PROXY", "a:1", "NO_PROXY", "svc:80,svc:8080");
    assertEquals("none", proxyOf("http://svc", ports));
    assertEquals("none", proxyOf("http://svc:8080", ports));
    assertEquals("a:1", proxyOf("http://svc:8081", ports));
  }
}
