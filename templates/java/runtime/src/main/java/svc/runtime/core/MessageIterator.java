package svc.runtime.core;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Waits for the messages of a stream. */
final class MessageIterator<T> implements Iterator<T> {
  private final MessageSource<T> source;
  private Optional<T> next = Optional.empty();

  private MessageIterator(MessageSource<T> source) {
    this.source = source;
  }

  /** Returns the only iterator of a stream. */
  static <T> Iterator<T> only(MessageSource<T> source, AtomicBoolean isIterated) {
    if (!isIterated.compareAndSet(false, true)) {
      throw new IllegalStateException("a stream can be iterated once");
    }
    return new MessageIterator<>(source);
  }

  /** Returns a sequential stream of the JDK. */
  static <T> Stream<T> stream(Iterator<T> iterator) {
    int kind = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator, kind), false);
  }

  @Override
  public boolean hasNext() {
    if (next.isEmpty()) {
      next = Blocking.await(source::next, source);
    }
    return next.isPresent();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T message = next.get();
    next = Optional.empty();
    return message;
  }
}
