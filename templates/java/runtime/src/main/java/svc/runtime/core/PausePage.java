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
  static PausePage of(Received answer) {
    JsonObject fields;
    try {
      fields = JsonObject.parse(answer.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidAnswer(answer, wrong.getMessage(), wrong);
    }
    if (!(fields.get("pauses").orElse(null) instanceof JsonArray pauses)) {
      throw Failures.invalidAnswer(answer, "pauses is missing");
    }
    List<Pause> items =
        pauses.items().stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .map(item -> new Pause(item, answer))
            .toList();
    return new PausePage(items, fields.text("next_cursor"));
  }
}
