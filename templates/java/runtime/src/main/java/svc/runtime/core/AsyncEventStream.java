package svc.runtime.core;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.SvcException;

/**
 * The events of a run as they happen, for programs that do not block. The first request is sent
 * when the first event is requested.
 *
 * <p>A stream has one subscriber, which sets the pace. Its methods run one at a time, on the
 * threads that request events and those of the HTTP client. Cancelling the subscription closes the
 * connection, but does not cancel the run. The stream completes after the last event of the run,
 * even if the run fails. If a call fails, the subscriber receives an {@link SvcException}.
 */
public final class AsyncEventStream implements Flow.Publisher<ExecutionEvent>, AutoCloseable {
  private final Follower follower;
  private final AtomicBoolean hasSubscriber = new AtomicBoolean();

  AsyncEventStream(Follower follower) {
    this.follower = follower;
  }

  /**
   * Adds the subscriber. A second one receives an {@link IllegalStateException}.
   *
   * @param subscriber the subscriber
   */
  @Override
  public void subscribe(Flow.Subscriber<? super ExecutionEvent> subscriber) {
    FrameSubscription.begin(follower, subscriber, hasSubscriber);
  }

  /**
   * Passes all events to a consumer, each after the consumer has returned from the previous one.
   * Cancelling the future closes the connection.
   *
   * @param consumer receives the events; an exception that it throws closes the connection
   * @return a future that completes after the last event, or with the failure of a call or the
   *     consumer
   */
  public CompletableFuture<Void> consume(Consumer<? super ExecutionEvent> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    CompletableFuture<Void> result = new CompletableFuture<>();
    subscribe(new ConsumingSubscriber<>(consumer, result));
    return result;
  }

  /**
   * Closes the connection. If the stream has not ended, the subscriber receives a {@link
   * CallCancelledException}.
   */
  @Override
  public void close() {
    follower.close();
  }
}
