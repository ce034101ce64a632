package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The API key, protected from being printed. */
final class Secret {
  private static final String MASK = "[redacted]";

  /** Keys of the service are longer. A shorter one is a placeholder, which texts have by chance. */
  private static final int SHORTEST = 16;

  private final String key;

  Secret(String key) {
    this.key = key;
  }

  String reveal() {
    return key;
  }

  /** Redacts the key in a string. */
  String redact(String text) {
    return text == null || !isIn(text) ? text : text.replace(key, MASK);
  }

  HttpHeaders redact(HttpHeaders headers) {
    if (headers.map().values().stream().flatMap(List::stream).noneMatch(this::isIn)) {
      return headers;
    }
    Map<String, List<String>> redacted = new LinkedHashMap<>();
    headers
        .map()
        .forEach((name, values) -> redacted.put(name, values.stream().map(this::redact).toList()));
    return HttpHeaders.of(redacted, (name, value) -> true);
  }

  /** Returns a cause, or what may be shown of it if it or its causes contain the key. */
  Throwable redact(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (isIn(each.toString())) {
        Throwable beneath = cause.getCause() == null ? null : redact(cause.getCause());
        return new RedactedCause(redact(cause.toString()), beneath, cause.getStackTrace());
      }
    }
    return cause;
  }

  private boolean isIn(String text) {
    return key.length() >= SHORTEST && text.contains(key);
  }

  @Override
  public String toString() {
    return MASK;
  }

  /** The redacted text of a cause, with its stack trace. */
  private static final class RedactedCause extends Exception {
    private static final long serialVersionUID = 1;

    RedactedCause(String message, Throwable cause, StackTraceElement[] stackTrace) {
      super(message, cause);
      setStackTrace(stackTrace);
    }
  }
}
