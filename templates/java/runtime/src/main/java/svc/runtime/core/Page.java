package svc.runtime.core;

import java.util.List;
import java.util.Optional;

/** A page of a list. */
interface Page<T> {
  /** Returns its items. */
  List<T> items();

  /** Returns the cursor of the next page; empty on the last page. */
  Optional<String> nextCursor();
}
