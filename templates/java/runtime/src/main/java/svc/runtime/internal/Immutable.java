package svc.runtime.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Immutable copies. Null is rejected with the name of the field and, within a list or a map, the
 * index or key.
 */
public final class Immutable {
  private Immutable() {}

  /**
   * Copies a list.
   *
   * @param list the list, without null
   * @param field the name of the field
   * @param <T> the type of its elements
   * @return the copy
   */
  public static <T> List<T> copyOf(List<T> list, String field) {
    int index = 0;
    for (T each : Objects.requireNonNull(list, field)) {
      if (each == null) {
        throw new NullPointerException(field + "[" + index + "]");
      }
      index++;
    }
    return List.copyOf(list);
  }

  /**
   * Copies a map and keeps its order.
   *
   * @param map the map, without null
   * @param field the name of the field
   * @param <K> the type of its keys
   * @param <V> the type of its values
   * @return the copy
   */
  public static <K, V> Map<K, V> copyOf(Map<K, V> map, String field) {
    if (Objects.requireNonNull(map, field).isEmpty()) {
      return Map.of();
    }
    Map<K, V> copy = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (key == null || value == null) {
            throw new NullPointerException(field + "[" + key + "]");
          }
          copy.put(key, value);
        });
    return Collections.unmodifiableMap(copy);
  }
}
