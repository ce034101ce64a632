package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The API key, protected from being printed. */
final class Secret {
  private static final String MASK = "[redacted]";

  private final String key;

  Secret(String key) {
    this.key = key;
  }

  String reveal() {
    return key;
  }

  /** Redacts the key in a string. */
  String redact(String text) {
    return text == null || key.isEmpty() ? text : text.replace(key, MASK);
  }

  HttpHeaders redact(HttpHeaders headers) {
    if (headers.map().values().stream().flatMap(List::stream).noneMatch(this::isIn)) {
      return headers;
    }
    Map<String, List<String>> redacted = new LinkedHashMap<>();
    headers
        .map()
        .forEach(
            (name, values) ->
                redacted.put(name, new ArrayList<>(values.stream().map(this::redact).toList())));
    return HttpHeaders.of(redacted, (name, value) -> true);
  }

  /** Returns a cause, or null if it or its causes contain the key. */
  Throwable redact(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (isIn(each.toString())) {
        return null;
      }
    }
    return cause;
  }

  private boolean isIn(String text) {
    return !key.isEmpty() && text.contains(key);
  }

  @Override
  public String toString() {
    return MASK;
  }
}
