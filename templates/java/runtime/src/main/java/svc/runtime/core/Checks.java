package svc.runtime.core;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import svc.runtime.errors.ConfigurationException;

/** Checks options, and says what to do about wrong ones. */
final class Checks {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

  /** Headers that say how a request travels, in lower case. */
  private static final Set<String> OF_TRANSPORT =
      Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

  /** No clock counts much further in nanoseconds, and nobody waits as long. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Checks() {}

  static ConfigurationException wrong(String message) {
    return new ConfigurationException(message, null);
  }

  static Duration timeout(Duration timeout) {
    if (timeout == null || timeout.isZero() || timeout.isNegative()) {
      throw wrong("a timeout is more than 0: for none, call noTimeout");
    }
    return atMostLongest(timeout);
  }

  static int maxRetries(int retries) {
    if (retries < 0) {
      throw wrong("the number of retries is 0 or more");
    }
    return retries;
  }

  static Duration delay(Duration delay) {
    if (delay == null || delay.isNegative()) {
      throw wrong("the delay of a retry is 0 or more");
    }
    return atMostLongest(delay);
  }

  private static Duration atMostLongest(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
  }

  static void header(String name, String value) {
    if (name == null
        || name.isEmpty()
        || !isVisible(name)
        || name.chars().anyMatch(each -> SEPARATORS.indexOf(each) >= 0)
        || value == null
        || !isVisible(value.replace(" ", ""))) {
      throw wrong("a header is visible ASCII, name and value");
    }
    if (OF_TRANSPORT.contains(name.toLowerCase(Locale.ROOT))) {
      throw wrong("the header " + name + " is the transport's own: leave it out");
    }
  }

  static String idempotencyKey(String key) {
    if (key == null || key.isEmpty() || !isVisible(key)) {
      throw wrong("an idempotency key is made of visible ASCII characters");
    }
    return key;
  }

  static Secret apiKey(String key) {
    if (key == null || key.isEmpty()) {
      throw wrong("no API key: set SVC_API_KEY or pass apiKey");
    }
    if (!isVisible(key)) {
      throw wrong(
          "the API key holds characters that a header cannot carry; is there a space or line break"
              + " around it?");
    }
    return new Secret(key);
  }

  /** Gives the address without slashes at its end. */
  static String baseUrl(String url) {
    if (url == null || url.isEmpty()) {
      throw wrong("no address of the service: set SVC_BASE_URL or pass baseUrl");
    }
    URI address = parse(url);
    String scheme = address == null ? null : address.getScheme();
    if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)
        || address.getHost() == null) {
      throw wrong("the address of the service is a URL such as https://svc.example.com");
    }
    if (address.getRawUserInfo() != null
        || address.getRawQuery() != null
        || address.getRawFragment() != null) {
      throw wrong("the address of the service has no user, query or fragment");
    }
    int end = url.length();
    while (url.charAt(end - 1) == '/') {
      end--;
    }
    return url.substring(0, end);
  }

  private static URI parse(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException wrong) {
      return null;
    }
  }

  /** Tells whether a text is made of visible ASCII characters alone. */
  private static boolean isVisible(String text) {
    return text.chars().allMatch(each -> each > ' ' && each <= '~');
  }
}
