package svc.runtime.core;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;

/** Iterates over the events of all pages. Pages load lazily. */
final class EventPages implements Iterator<ExecutionEvent> {
  private final Function<Optional<String>, EventPage> reader;
  private final Queue<ExecutionEvent> events = new ArrayDeque<>();
  private Optional<String> cursor = Optional.empty();
  private boolean isFirst = true;

  EventPages(Function<Optional<String>, EventPage> reader) {
    this.reader = reader;
  }

  @Override
  public boolean hasNext() {
    while (events.isEmpty() && (isFirst || cursor.isPresent())) {
      EventPage page = reader.apply(cursor);
      events.addAll(page.events());
      cursor = page.nextCursor();
      isFirst = false;
    }
    return !events.isEmpty();
  }

  @Override
  public ExecutionEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return events.remove();
  }
}
