package svc.runtime.core;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import svc.runtime.errors.ConfigurationException;

/** Validates options. */
final class Checks {
  /** Keeps the deadline within the range of nanosecond clocks. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  static final int LARGEST_PORT = 65_535;

  private static final String INVISIBLE =
      " is malformed: it must contain only visible ASCII characters; check for spaces or line"
          + " breaks around it";

  private Checks() {}

  static ConfigurationException wrong(String message) {
    return new ConfigurationException(message);
  }

  static Duration timeout(Duration timeout) {
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw wrong("the timeout must be greater than 0; call noTimeout for no limit");
    }
    return atMostLongest(timeout);
  }

  static Duration attemptTimeout(Duration timeout) {
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw wrong("the timeout of an attempt must be greater than 0");
    }
    return atMostLongest(timeout);
  }

  static Duration connectTimeout(Duration timeout) {
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw wrong("the timeout of a connection must be greater than 0");
    }
    return atMostLongest(timeout);
  }

  static int maxRetries(int retries) {
    if (retries < 0) {
      throw wrong("the number of retries must not be negative");
    }
    return retries;
  }

  static Duration delay(Duration delay) {
    if (delay == null || delay.isNegative()) {
      throw wrong("the retry delay must not be negative");
    }
    return atMostLongest(delay);
  }

  private static Duration atMostLongest(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
  }

  static void pageSize(int size) {
    if (size < 1 || size > 1000) {
      throw wrong("the page size must be between 1 and 1000");
    }
  }

  static String idempotencyKey(String key) {
    if (key == null || key.isEmpty() || !isVisible(key)) {
      throw wrong("the idempotency key must contain only visible ASCII characters");
    }
    return key;
  }

  static String apiKey(String key) {
    if (key == null || key.isEmpty()) {
      throw wrong("no API key: set SVC_API_KEY or pass apiKey");
    }
    if (!isVisible(key)) {
      throw wrong("the API key" + INVISIBLE);
    }
    return key;
  }

  static String providedKey(String key) {
    if (key == null || key.isEmpty()) {
      throw wrong("the provider of the API key returned none");
    }
    return apiKey(key);
  }

  static boolean isApiKey(String key) {
    return key != null && !key.isEmpty() && isVisible(key);
  }

  /** Returns the URL with its scheme in lower case and without trailing slashes. */
  static String baseUrl(String url) {
    if (url == null || url.isEmpty()) {
      throw wrong("no base URL: set SVC_BASE_URL or pass baseUrl");
    }
    if (!isVisible(url)) {
      throw wrong("the base URL" + INVISIBLE);
    }
    URI address = parse(url);
    String scheme = address == null ? null : address.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
      throw wrong("the base URL must be an HTTP or HTTPS URL such as https://svc.example.com");
    }
    if (address.getHost() == null || address.getPort() > LARGEST_PORT) {
      throw wrong(
          "the host or port of the base URL is malformed: a host has letters, digits, hyphens and"
              + " dots, and no underscores");
    }
    if (address.getRawUserInfo() != null
        || address.getRawQuery() != null
        || address.getRawFragment() != null) {
      throw wrong("the base URL must not contain a user, a query or a fragment");
    }
    int end = url.length();
    while (url.charAt(end - 1) == '/') {
      end--;
    }
    return scheme.toLowerCase(Locale.ROOT) + url.substring(scheme.length(), end);
  }

  /**
   * Returns a base URL without its user, query and fragment. Clients reject these, but options may
   * be printed earlier.
   */
  static String shownUrl(String url) {
    return url.replaceFirst("(?s)^([^:/]*:?//)?.*@", "$1[redacted]@")
        .replaceFirst("(?s)[?#].*", "?[redacted]");
  }

  private static URI parse(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException wrong) {
      return null;
    }
  }

  /** Reports whether a string contains only visible ASCII characters and spaces. */
  static boolean isPrintable(String text) {
    return isVisible(text.replace(" ", ""));
  }

  /** Reports whether a string contains only visible ASCII characters. */
  static boolean isVisible(String text) {
    return text.chars().allMatch(each -> each > ' ' && each <= '~');
  }
}
