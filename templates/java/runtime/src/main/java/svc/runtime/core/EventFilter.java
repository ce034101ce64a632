package svc.runtime.core;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which events to read, and how many at a time.
 *
 * @param types the only types to read; none for all
 * @param nodeName the only placement in the flow to read events of
 * @param pageSize how many events one request reads, at most 1,000; 100 unless set
 */
public record EventFilter(List<String> types, Optional<String> nodeName, OptionalInt pageSize) {
  /** All events. */
  public static final EventFilter ALL =
      new EventFilter(List.of(), Optional.empty(), OptionalInt.empty());

  /**
   * Copies the types.
   *
   * @param types the only types to read; none for all
   * @param nodeName the only placement in the flow to read events of
   * @param pageSize how many events one request reads, at most 1,000; 100 unless set
   */
  public EventFilter {
    types = List.copyOf(types);
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(pageSize, "pageSize");
  }

  /**
   * Reads events of some types alone.
   *
   * @param types the types
   * @return the filter
   */
  public static EventFilter ofTypes(String... types) {
    return ALL.withTypes(types);
  }

  /**
   * Reads events of some types alone.
   *
   * @param types the types; none for all
   * @return another filter
   */
  public EventFilter withTypes(String... types) {
    return new EventFilter(List.of(types), nodeName, pageSize);
  }

  /**
   * Reads events of one placement in the flow alone.
   *
   * @param nodeName its name
   * @return another filter
   */
  public EventFilter withNodeName(String nodeName) {
    return new EventFilter(types, Optional.of(nodeName), pageSize);
  }

  /**
   * Reads so many events by one request.
   *
   * @param pageSize the number, at most 1,000
   * @return another filter
   */
  public EventFilter withPageSize(int pageSize) {
    return new EventFilter(types, nodeName, OptionalInt.of(pageSize));
  }

  /** Gives what a page is asked by. */
  String query(Optional<String> cursor) {
    StringBuilder query = new StringBuilder("decode=true");
    types.forEach(type -> query.append("&event_type=").append(encoded(type)));
    nodeName.ifPresent(name -> query.append("&node_name=").append(encoded(name)));
    pageSize.ifPresent(size -> query.append("&limit=").append(size));
    cursor.ifPresent(text -> query.append("&cursor=").append(encoded(text)));
    return query.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
