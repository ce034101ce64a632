package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
  void exceptsThisMachineAndNamedHosts() {
    Map<String, String> all =
        Map.of("HTTP_PROXY", "127.0.0.1:81", "NO_PROXY", "example.com, *.internal");
    assertEquals("none", proxyOf("http://127.0.0.1:8080", all));
    assertEquals("none", proxyOf("http://localhost", all));
    assertEquals("none", proxyOf("http://svc.example.com", all));
    assertEquals("none", proxyOf("http://svc.internal", all));
    assertEquals("127.0.0.1:81", proxyOf("http://notexample.com", all));
    assertEquals("none", proxyOf("http://a.b", Map.of("HTTP_PROXY", "a:1", "no_proxy", "*")));
  }
}
