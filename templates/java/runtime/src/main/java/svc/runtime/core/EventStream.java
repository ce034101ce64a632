package svc.runtime.core;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.SvcException;

/**
 * The events of a run as they happen. The first request is sent when the first event is requested.
 *
 * <p>Close the stream, preferably with try-with-resources. This closes the connection, but does not
 * cancel the run. Interrupting the thread that waits for an event also closes it. The stream ends
 * after the last event of the run, even if the run fails. If a call fails, the iterator throws an
 * {@link SvcException}.
 *
 * <p>A stream can be iterated once, by one thread at a time. Any thread can close it.
 */
public final class EventStream implements Iterable<ExecutionEvent>, AutoCloseable {
  private final Follower follower;
  private final AtomicBoolean isIterated = new AtomicBoolean();

  EventStream(Follower follower) {
    this.follower = follower;
  }

  /**
   * Returns the iterator over the events. Its methods wait for the next event.
   *
   * @return the iterator
   * @throws IllegalStateException if this method or {@link #stream} was called before
   */
  @Override
  public Iterator<ExecutionEvent> iterator() {
    return MessageIterator.only(follower, isIterated);
  }

  /**
   * Returns the events as a sequential stream of the JDK. Closing it closes this stream.
   *
   * @return the stream
   * @throws IllegalStateException if this method or {@link #iterator} was called before
   */
  public Stream<ExecutionEvent> stream() {
    return MessageIterator.stream(iterator()).onClose(this::close);
  }

  /**
   * Closes the connection. If the stream has not ended, the iterator throws a {@link
   * CallCancelledException} from now on.
   */
  @Override
  public void close() {
    follower.close();
  }
}
