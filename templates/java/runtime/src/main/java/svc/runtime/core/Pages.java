package svc.runtime.core;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Iterates over the items of all pages. Pages load lazily. */
final class Pages<T> implements Iterator<T> {
  private final Function<Optional<String>, ? extends Page<T>> reader;
  private final Queue<T> items = new ArrayDeque<>();
  private Optional<String> cursor = Optional.empty();
  private boolean isFirst = true;

  private Pages(Function<Optional<String>, ? extends Page<T>> reader) {
    this.reader = reader;
  }

  /** Returns the items of all pages. */
  static <T> Stream<T> stream(Function<Optional<String>, ? extends Page<T>> reader) {
    int kind = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(new Pages<>(reader), kind), false);
  }

  @Override
  public boolean hasNext() {
    while (items.isEmpty() && (isFirst || cursor.isPresent())) {
      Page<T> page = reader.apply(cursor);
      items.addAll(page.items());
      cursor = page.nextCursor();
      isFirst = false;
    }
    return !items.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return items.remove();
  }
}
