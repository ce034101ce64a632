package svc.runtime.core;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Delivers the messages of a stream to its subscriber, as many as it requests. */
final class FrameSubscription<T> implements Flow.Subscription {
  private final MessageSource<T> source;
  private final Flow.Subscriber<? super T> subscriber;
  private final AtomicLong demand = new AtomicLong();

  /**
   * The number of pending requests to deliver. The thread that raises it from zero delivers for all
   * of them.
   */
  private final AtomicInteger turns = new AtomicInteger();

  private volatile boolean isOver;
  private volatile boolean isRefused;

  /**
   * The message after the last delivered one. It is read ahead to detect the end without demand.
   */
  private CompletableFuture<Optional<T>> next;

  private FrameSubscription(MessageSource<T> source, Flow.Subscriber<? super T> subscriber) {
    this.source = source;
    this.subscriber = subscriber;
  }

  /** Adds the only subscriber of a stream. */
  static <T> void begin(
      MessageSource<T> source, Flow.Subscriber<? super T> subscriber, AtomicBoolean hasSubscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (hasSubscriber.compareAndSet(false, true)) {
      subscriber.onSubscribe(new FrameSubscription<>(source, subscriber));
      return;
    }
    subscriber.onSubscribe(new NoSubscription());
    subscriber.onError(new IllegalStateException("a stream has one subscriber"));
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      isRefused = true;
    } else {
      demand.accumulateAndGet(count, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    }
    deliver();
  }

  @Override
  public void cancel() {
    isOver = true;
    source.close();
  }

  private void deliver() {
    if (turns.getAndIncrement() != 0) {
      return;
    }
    do {
      deliverInTurn();
    } while (turns.decrementAndGet() != 0);
  }

  private void deliverInTurn() {
    while (!isOver) {
      if (isRefused) {
        fail(new IllegalArgumentException("the number of requested messages must be positive"));
        return;
      }
      if (next == null) {
        next = source.next();
        if (!next.isDone()) {
          // A subscriber may block, but the thread that received the message must read on.
          next.whenCompleteAsync((message, failure) -> deliver(), Workers.THREADS);
          return;
        }
      }
      if (!next.isDone() || !deliverNext()) {
        return;
      }
    }
  }

  /** Reports whether the subscriber took the message that has arrived. */
  private boolean deliverNext() {
    if (next.isCompletedExceptionally()) {
      next.whenComplete((message, failure) -> fail(Call.causeOf(failure)));
      return true;
    }
    Optional<T> message = next.join();
    if (message.isEmpty()) {
      isOver = true;
      subscriber.onComplete();
      return true;
    }
    if (demand.get() == 0) {
      return false;
    }
    if (demand.get() != Long.MAX_VALUE) {
      demand.decrementAndGet();
    }
    next = null;
    try {
      subscriber.onNext(message.get());
    } catch (RuntimeException | Error failure) {
      fail(failure);
    }
    return true;
  }

  private void fail(Throwable failure) {
    isOver = true;
    source.close();
    subscriber.onError(failure);
  }

  /** The subscription of a second subscriber. */
  private static final class NoSubscription implements Flow.Subscription {
    @Override
    public void request(long count) {
      // The subscriber has already failed.
    }

    @Override
    public void cancel() {
      // The subscriber has already failed.
    }
  }
}
