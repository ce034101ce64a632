package svc.runtime.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Immutable copies. */
public final class Immutable {
  private Immutable() {}

  /**
   * Copies a map and keeps its order.
   *
   * @param map the map, without null
   * @param <K> the type of its keys
   * @param <V> the type of its values
   * @return the copy
   */
  public static <K, V> Map<K, V> copyOf(Map<K, V> map) {
    if (map.isEmpty()) {
      return Map.of();
    }
    Map<K, V> copy = new LinkedHashMap<>();
    map.forEach(
        (key, value) ->
            copy.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")));
    return Collections.unmodifiableMap(copy);
  }
}
