package svc.runtime.core;

import java.util.List;
import java.util.Optional;
import svc.runtime.json.JsonObject;

/** A page of a list. */
interface Page<T> {
  /** Returns its items. */
  List<T> items();

  /** Returns the cursor of the next page; empty on the last page. */
  Optional<String> nextCursor();

  /**
   * Returns the cursor of the next page in a response; empty on the last page.
   *
   * @param cursor the cursor of this page; a response that names it again is rejected, because
   *     reading would never end
   */
  static Optional<String> next(JsonObject fields, Optional<String> cursor, Received response) {
    Optional<String> next = fields.text("next_cursor");
    if (next.isPresent() && next.equals(cursor)) {
      throw Failures.invalidResponse(response, "next_cursor is the cursor of this page");
    }
    return next;
  }
}
