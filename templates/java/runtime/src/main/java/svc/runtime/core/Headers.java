package svc.runtime.core;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import svc.runtime.errors.ConfigurationException;

/** Headers of the caller, whose names are case-insensitive. */
final class Headers {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

  /** Headers controlled by the HTTP transport, in lower case. */
  private static final Set<String> OF_TRANSPORT =
      Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

  /** Headers controlled by the SDK, in lower case. */
  private static final Set<String> OF_SDK = Set.of("accept", "content-type", "x-svc-client");

  /** Headers that the SDK sets for a reason or through an option, in lower case. */
  private static final Map<String, String> WITH_REASON =
      Map.of(
          "accept-encoding", "it does not read compressed responses",
          "authorization", "pass the key as apiKey of the client",
          "idempotency-key", "pass the key as idempotencyKey of the call",
          "last-event-id", "pass the id to outputAfter of the stream");

  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /**
   * Sets a header, which replaces an earlier one of the same name.
   *
   * @throws ConfigurationException if it is malformed, or reserved for the SDK or the transport
   */
  void set(String name, String value) {
    if (!isName(name) || value == null || !Checks.isPrintable(value)) {
      throw Checks.wrong("the header is malformed: use printable ASCII characters");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (OF_TRANSPORT.contains(lower)) {
      throw Checks.wrong("the header " + name + " is set by the transport and cannot be changed");
    }
    if (OF_SDK.contains(lower)) {
      throw Checks.wrong("the header " + name + " is set by the SDK and cannot be changed");
    }
    if (WITH_REASON.containsKey(lower)) {
      throw Checks.wrong("the header " + name + " is set by the SDK: " + WITH_REASON.get(lower));
    }
    values.put(name, value);
  }

  /** Adds headers that were set before. */
  void setAll(Map<String, String> headers) {
    values.putAll(headers);
  }

  /** Returns a copy that cannot be changed. */
  Map<String, String> copy() {
    return merged(values, Map.of());
  }

  /** Returns all headers. The last ones take precedence. */
  static Map<String, String> merged(Map<String, String> first, Map<String, String> last) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(first);
    all.putAll(last);
    return Collections.unmodifiableMap(all);
  }

  private static boolean isName(String name) {
    return name != null
        && !name.isEmpty()
        && Checks.isVisible(name)
        && name.chars().noneMatch(each -> SEPARATORS.indexOf(each) >= 0);
  }
}
