package svc.runtime.core;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.internal.Immutable;

/**
 * Selects events and sets the page size.
 *
 * @param types the event types to include; empty for all types
 * @param nodeName the placement in the flow whose events to include
 * @param pageSize the number of events per request, from 1 to 1,000; 100 by default
 */
public record EventFilter(List<String> types, Optional<String> nodeName, OptionalInt pageSize) {
  /** All events. */
  public static final EventFilter ALL =
      new EventFilter(List.of(), Optional.empty(), OptionalInt.empty());

  /**
   * Copies the types.
   *
   * @param types the event types to include; empty for all types
   * @param nodeName the placement in the flow whose events to include
   * @param pageSize the number of events per request, from 1 to 1,000; 100 by default
   * @throws ConfigurationException if the page size is another number
   */
  public EventFilter {
    types = Immutable.copyOf(types, "types");
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(pageSize, "pageSize").ifPresent(Checks::pageSize);
  }

  /**
   * Includes only events of the given types.
   *
   * @param types the types
   * @return the filter
   */
  public static EventFilter ofTypes(String... types) {
    return ALL.withTypes(types);
  }

  /**
   * Includes only events of the given types.
   *
   * @param types the types; empty for all types
   * @return another filter
   */
  public EventFilter withTypes(String... types) {
    return new EventFilter(
        Arrays.asList(Objects.requireNonNull(types, "types")), nodeName, pageSize);
  }

  /**
   * Includes only events of one placement in the flow.
   *
   * @param nodeName its name
   * @return another filter
   */
  public EventFilter withNodeName(String nodeName) {
    return new EventFilter(types, Optional.of(nodeName), pageSize);
  }

  /**
   * Sets the number of events per request.
   *
   * @param pageSize the number, from 1 to 1,000
   * @return another filter
   * @throws ConfigurationException if it is another number
   */
  public EventFilter withPageSize(int pageSize) {
    return new EventFilter(types, nodeName, OptionalInt.of(pageSize));
  }

  /** Returns the query string for a page. */
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
