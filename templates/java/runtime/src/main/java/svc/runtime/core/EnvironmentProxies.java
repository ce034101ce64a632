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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.runtime.errors.ConfigurationException;

/**
 * The proxies of the environment variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code
 * NO_PROXY}, in upper or lower case, or else those of the system properties. The local machine is
 * always reached directly.
 */
final class EnvironmentProxies extends ProxySelector {
  /** The HTTP client of the JDK accepts no other hosts, such as those with underscores. */
  private static final Pattern PLACE =
      Pattern.compile(
          "(?:https?://)?(?:[^/]*@)?(?<host>\\[[^\\[\\]/]+\\]|[a-z0-9.-]+)(?::(?<port>[0-9]{1,5}))?(?:/.*)?",
          Pattern.CASE_INSENSITIVE);

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
    if (host == null || isLocal(host) || isExcepted(address)) {
      return List.of(Proxy.NO_PROXY);
    }
    String variable = isEncrypted(address) ? "HTTPS_PROXY" : "HTTP_PROXY";
    String proxy = value(variable);
    if (proxy.isEmpty()) {
      ProxySelector others = ProxySelector.getDefault();
      return others == null ? List.of(Proxy.NO_PROXY) : others.select(address);
    }
    return List.of(new Proxy(Proxy.Type.HTTP, placeOf(proxy, variable)));
  }

  /**
   * Returns the address of a proxy.
   *
   * @param variable the name of the environment variable, for the message of the exception
   */
  private static InetSocketAddress placeOf(String proxy, String variable) {
    Matcher place = PLACE.matcher(proxy);
    int port = 80;
    if (place.matches() && place.group("port") != null) {
      port = Integer.parseInt(place.group("port"));
    }
    if (!place.matches() || port > Checks.LARGEST_PORT) {
      // The value may contain a password.
      throw new ConfigurationException(
          "cannot send the request: "
              + variable
              + " must be the address of an HTTP proxy, such as http://proxy.example.com:8080;"
              + " a host has letters, digits, hyphens and dots, and no underscores");
    }
    return new InetSocketAddress(place.group("host"), port);
  }

  @Override
  public void connectFailed(URI address, SocketAddress proxy, IOException failure) {
    // The call itself fails with this exception.
  }

  private static boolean isLocal(String host) {
    return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  private static boolean isEncrypted(URI address) {
    return "https".equalsIgnoreCase(address.getScheme());
  }

  /**
   * Reports whether {@code NO_PROXY} covers an address. It is an asterisk or lists hosts, which
   * include their subdomains and may have a port.
   */
  private boolean isExcepted(URI address) {
    String host = address.getHost().toLowerCase(Locale.ROOT);
    int usual = isEncrypted(address) ? 443 : 80;
    int port = address.getPort() < 0 ? usual : address.getPort();
    for (String item : value("NO_PROXY").toLowerCase(Locale.ROOT).split(",")) {
      String name = item.strip().replaceFirst("^\\*?\\.", "").replaceFirst(":" + port + "$", "");
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
