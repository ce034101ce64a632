package svc.runtime.core;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.SvcException;

/**
 * The output messages of a call, as they arrive. The request is sent when the first message is
 * requested.
 *
 * <p>Close the stream, preferably with try-with-resources. This closes the connection, which
 * cancels the run. Interrupting the thread that waits for a message also closes it. The stream ends
 * without an exception only after its last message. If the call fails, the iterator throws an
 * {@link SvcException}; the messages received so far are valid.
 *
 * <p>A stream can be iterated once, by one thread at a time. Any thread can close it.
 *
 * @param <T> the type of the messages
 */
public final class FrameStream<T> implements Iterable<T>, AutoCloseable {
  private final StreamCall<T> call;
  private final AtomicBoolean isIterated = new AtomicBoolean();

  FrameStream(StreamCall<T> call) {
    this.call = call;
  }

  /**
   * Returns the iterator over the messages. Its methods wait for the next message.
   *
   * @return the iterator
   * @throws IllegalStateException if this method or {@link #stream} was called before
   */
  @Override
  public Iterator<T> iterator() {
    return MessageIterator.only(call, isIterated);
  }

  /**
   * Returns the messages as a sequential stream of the JDK. Closing it closes this stream.
   *
   * @return the stream
   * @throws IllegalStateException if this method or {@link #iterator} was called before
   */
  public Stream<T> stream() {
    return MessageIterator.stream(iterator()).onClose(this::close);
  }

  /**
   * Returns the head of the response: its status and headers, with an empty body. Sends the request
   * if no message has been requested yet, and waits for the response to begin. Interrupting the
   * thread closes the stream.
   *
   * @return the response
   * @throws SvcException if the call fails
   */
  public ServiceResponse response() {
    return Blocking.await(call::response, call);
  }

  /**
   * Returns the id of the execution that the call created.
   *
   * @return the id, empty until the service has sent it
   */
  public Optional<String> executionId() {
    return call.executionId();
  }

  /**
   * Returns the id of the event of the last message, after which the output of a {@link
   * SplitStream} can be resumed later.
   *
   * @return the id, empty until the service has sent it
   */
  public Optional<String> lastEventId() {
    return call.lastEventId();
  }

  /**
   * Closes the connection, which cancels the run unless it is that of a {@link SplitStream}. If the
   * stream has not ended, the iterator throws a {@link CallCancelledException} from now on.
   */
  @Override
  public void close() {
    call.close();
  }
}
