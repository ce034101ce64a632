package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Passes the messages of a stream to its subscriber, as many as it requests. */
final class FrameSubscription<T> implements Flow.Subscription {
  private final StreamCall<T> call;
  private final Flow.Subscriber<? super T> subscriber;
  private final AtomicLong demand = new AtomicLong();

  /** Requests to deliver; the one that finds none before it delivers for all. */
  private final AtomicInteger turns = new AtomicInteger();

  private volatile boolean isOver;
  private volatile boolean isRefused;

  /** The message after the last delivered one. It is read ahead to find the end without demand. */
  private CompletableFuture<Optional<T>> next;

  FrameSubscription(StreamCall<T> call, Flow.Subscriber<? super T> subscriber) {
    this.call = call;
    this.subscriber = subscriber;
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
    call.close();
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
        next = call.next();
        if (!next.isDone()) {
          next.whenComplete((message, failure) -> deliver());
          return;
        }
      }
      if (!next.isDone() || !deliverNext()) {
        return;
      }
    }
  }

  /** Returns whether the subscriber took what has arrived. */
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
    call.close();
    subscriber.onError(failure);
  }
}
