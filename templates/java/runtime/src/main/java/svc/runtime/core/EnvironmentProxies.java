package svc.runtime.core;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The proxies of the environment variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code
 * NO_PROXY}, in capitals or not, else those of the system properties. This machine is always
 * reached directly.
 */
final class EnvironmentProxies extends ProxySelector {
  private final Map<String, String> environment;

  private EnvironmentProxies(Map<String, String> environment) {
    this.environment = environment;
  }

  static ProxySelector of(Map<String, String> environment) {
    return new EnvironmentProxies(environment);
  }

  @Override
  public List<Proxy> select(URI address) {
    String host = address.getHost();
    if (host == null || isLocal(host) || isExcepted(host.toLowerCase(Locale.ROOT))) {
      return List.of(Proxy.NO_PROXY);
    }
    String proxy =
        value("https".equalsIgnoreCase(address.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY");
    if (proxy.isEmpty()) {
      ProxySelector others = ProxySelector.getDefault();
      return others == null ? List.of(Proxy.NO_PROXY) : others.select(address);
    }
    URI place = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
    int port = place.getPort() < 0 ? 80 : place.getPort();
    return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(place.getHost(), port)));
  }

  @Override
  public void connectFailed(URI address, SocketAddress proxy, IOException failure) {
    // The call fails with this exception.
  }

  private static boolean isLocal(String host) {
    return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  /** {@code NO_PROXY} lists hosts, which stand for what is beneath them too, or is an asterisk. */
  private boolean isExcepted(String host) {
    for (String item : value("NO_PROXY").toLowerCase(Locale.ROOT).split(",")) {
      String name = item.strip().replaceFirst("^\\*?\\.", "");
      boolean isMatch = name.equals("*") || host.equals(name) || host.endsWith("." + name);
      if (!name.isEmpty() && isMatch) {
        return true;
      }
    }
    return false;
  }

  private String value(String variable) {
    String lower = environment.get(variable.toLowerCase(Locale.ROOT));
    return lower == null ? environment.getOrDefault(variable, "") : lower;
  }
}
