package svc.runtime.core;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.internal.Immutable;

/**
 * Selects pauses and sets the page size.
 *
 * @param statuses the statuses to include; empty for all
 * @param pageSize the number of pauses per request, from 1 to 1,000; 100 by default
 */
public record PauseFilter(List<String> statuses, OptionalInt pageSize) {
  /** All pauses. */
  public static final PauseFilter ALL = new PauseFilter(List.of(), OptionalInt.empty());

  /** Pauses that wait for a decision. */
  public static final PauseFilter WAITING = ofStatuses(PauseStatus.WAITING);

  /**
   * Copies the statuses.
   *
   * @param statuses the statuses to include; empty for all
   * @param pageSize the number of pauses per request, from 1 to 1,000; 100 by default
   * @throws ConfigurationException if the page size is another number
   */
  public PauseFilter {
    statuses = Immutable.copyOf(statuses, "statuses");
    Objects.requireNonNull(pageSize, "pageSize").ifPresent(Checks::pageSize);
  }

  /**
   * Includes only pauses of the given statuses.
   *
   * @param statuses the statuses
   * @return the filter
   */
  public static PauseFilter ofStatuses(PauseStatus... statuses) {
    List<PauseStatus> all =
        Immutable.copyOf(Arrays.asList(Objects.requireNonNull(statuses, "statuses")), "statuses");
    return new PauseFilter(all.stream().map(PauseStatus::name).toList(), OptionalInt.empty());
  }

  /**
   * Sets the number of pauses per request.
   *
   * @param pageSize the number, from 1 to 1,000
   * @return another filter
   * @throws ConfigurationException if it is another number
   */
  public PauseFilter withPageSize(int pageSize) {
    return new PauseFilter(statuses, OptionalInt.of(pageSize));
  }

  /** Returns the query string for a page, with its question mark. */
  String query(Optional<String> cursor) {
    List<String> pairs = new ArrayList<>();
    statuses.forEach(status -> pairs.add("status=" + encoded(status)));
    pageSize.ifPresent(size -> pairs.add("limit=" + size));
    cursor.ifPresent(text -> pairs.add("cursor=" + encoded(text)));
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
