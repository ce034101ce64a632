package svc.runtime.core;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.SvcException;

/**
 * The output messages of a call, as they arrive, for programs that do not block. The request is
 * sent when the first message is requested.
 *
 * <p>A stream has one subscriber, which sets the pace: at most one message more than it requested
 * is read. Its methods run one at a time, on the threads that request messages and those of the
 * HTTP client. Cancelling the subscription closes the connection, which cancels the run. The stream
 * completes only after its last message. If the call fails, the subscriber receives a {@link
 * SvcException}; the messages received so far are valid.
 *
 * @param <T> the type of the messages
 */
public final class AsyncFrameStream<T> implements Flow.Publisher<T>, AutoCloseable {
  private final StreamCall<T> call;
  private final AtomicBoolean hasSubscriber = new AtomicBoolean();

  AsyncFrameStream(StreamCall<T> call) {
    this.call = call;
  }

  /**
   * Adds the subscriber. A second one receives an {@link IllegalStateException}.
   *
   * @param subscriber the subscriber
   */
  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    FrameSubscription.begin(call, subscriber, hasSubscriber);
  }

  /**
   * Passes all messages to a consumer, each after the consumer has returned from the previous one.
   * Cancelling the future closes the connection.
   *
   * @param consumer receives the messages; an exception that it throws closes the connection
   * @return a future that completes after the last message, or with the failure of the call or the
   *     consumer
   */
  public CompletableFuture<Void> consume(Consumer<? super T> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    CompletableFuture<Void> result = new CompletableFuture<>();
    subscribe(new ConsumingSubscriber<>(consumer, result));
    return result;
  }

  /**
   * Returns the head of the response: its status and headers, with an empty body. Sends the request
   * if no message has been requested yet.
   *
   * @return the response
   */
  public CompletableFuture<ServiceResponse> response() {
    return call.response();
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
   * stream has not ended, the subscriber receives a {@link CallCancelledException}.
   */
  @Override
  public void close() {
    call.close();
  }
}
