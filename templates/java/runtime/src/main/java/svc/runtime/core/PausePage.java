package svc.runtime.core;

import java.util.List;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonArray;
import svc.runtime.json.JsonObject;

/**
 * A page of pauses.
 *
 * @param items the pauses
 * @param nextCursor the cursor of the next page; empty on the last page
 */
record PausePage(List<Pause> items, Optional<String> nextCursor) implements Page<Pause> {
  /**
   * Reads a page.
   *
   * @param cursor the cursor of this page; empty for the first page
   */
  static PausePage of(Received response, Optional<String> cursor) {
    try {
      JsonObject fields = JsonObject.parse(response.body());
      if (!(fields.get("pauses").orElse(null) instanceof JsonArray pauses)) {
        throw new InvalidMessageException("pauses is missing");
      }
      List<Pause> items =
          pauses.items().stream()
              .filter(JsonObject.class::isInstance)
              .map(JsonObject.class::cast)
              .map(Pause::new)
              .toList();
      return new PausePage(items, Page.next(fields, cursor, response));
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(response, wrong.getMessage(), wrong);
    }
  }
}
