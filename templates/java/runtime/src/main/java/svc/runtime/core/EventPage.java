package svc.runtime.core;

import java.util.List;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonArray;
import svc.runtime.json.JsonObject;

/**
 * A page of events.
 *
 * @param items the events, oldest first
 * @param nextCursor the cursor of the next page; empty on the last page
 * @param response the response that contains the page
 */
record EventPage(List<ExecutionEvent> items, Optional<String> nextCursor, Received response)
    implements Page<ExecutionEvent> {
  /**
   * Reads a page.
   *
   * @param cursor the cursor of this page; empty for the first page
   */
  static EventPage of(Received response, Optional<String> cursor) {
    JsonObject fields;
    try {
      fields = JsonObject.parse(response.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(response, wrong.getMessage(), wrong);
    }
    if (!(fields.get("events").orElse(null) instanceof JsonArray items)) {
      throw Failures.invalidResponse(response, "events is missing");
    }
    List<ExecutionEvent> events =
        items.items().stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .map(ExecutionEvent::new)
            .toList();
    return new EventPage(events, Page.next(fields, cursor, response), response);
  }
}
