package svc.runtime.core;

import java.util.List;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonArray;
import svc.runtime.json.JsonObject;

/**
 * A page of the history of an execution.
 *
 * @param events the events, oldest first
 * @param nextCursor what the next page is asked by; empty on the last one
 * @param answer the answer that it came in
 */
record EventPage(List<ExecutionEvent> events, Optional<String> nextCursor, RawAnswer answer) {
  static EventPage of(RawAnswer answer) {
    JsonObject fields;
    try {
      fields = JsonObject.parse(answer.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidAnswer(answer, wrong.getMessage(), wrong);
    }
    if (!(fields.get("events").orElse(null) instanceof JsonArray items)) {
      throw Failures.invalidAnswer(answer, "it has no events", null);
    }
    List<ExecutionEvent> events =
        items.items().stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .map(ExecutionEvent::new)
            .toList();
    return new EventPage(events, fields.text("next_cursor"), answer);
  }
}
