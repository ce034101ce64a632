package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.ErrorDetails;

/** Delivers the messages of a stream to its reader until the stream ends. */
final class Delivery<O> {
  /** Completed by the last frame, a failure or {@link #close}. Completion stops everything else. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** The pending request for a message, or null. */
  private final AtomicReference<CompletableFuture<Optional<O>>> wanted = new AtomicReference<>();

  /** The name of the closed object in exceptions. */
  private final String subject;

  /** Returns the known details of the call, for exceptions. */
  private final Supplier<ErrorDetails> details;

  Delivery(String subject, Supplier<ErrorDetails> details) {
    this.subject = subject;
    this.details = details;
    end.whenComplete((nothing, failure) -> settle(failure));
  }

  /** Returns the future of the end. Its completion stops everything else. */
  CompletableFuture<Void> end() {
    return end;
  }

  /**
   * Requests the next message; empty at the end. Cancelling the future closes the stream.
   *
   * @param read reads up to the next message, unless the stream has ended
   */
  CompletableFuture<Optional<O>> ask(Runnable read) {
    CompletableFuture<Optional<O>> next = closing(new CompletableFuture<>());
    wanted.set(next);
    if (end.isDone()) {
      end.whenComplete((nothing, failure) -> settle(failure));
    } else {
      read.run();
    }
    return next;
  }

  /** Closes the stream when a future is cancelled. */
  <T> CompletableFuture<T> closing(CompletableFuture<T> future) {
    future.whenComplete(
        (value, failure) -> {
          if (failure instanceof CancellationException) {
            close();
          }
        });
    return future;
  }

  /** Delivers a frame. */
  void take(FrameReader.Frame<O> frame) {
    CompletableFuture<Optional<O>> next =
        frame.message().isPresent() ? wanted.getAndSet(null) : null;
    if (frame.failure().isPresent()) {
      end.completeExceptionally(frame.failure().get());
    } else if (frame.isLast()) {
      end.complete(null);
    }
    if (next != null) {
      next.complete(frame.message());
    }
  }

  /** Ends the stream with a failure, unless it has ended. */
  void fail(Throwable failure) {
    end.completeExceptionally(Call.causeOf(failure));
  }

  /** Ends the stream, unless it has ended. */
  void close() {
    fail(new CallCancelledException("the " + subject + " was closed", details.get()));
  }

  private void settle(Throwable failure) {
    CompletableFuture<Optional<O>> next = wanted.getAndSet(null);
    if (next != null) {
      Call.settle(next, Optional.empty(), failure);
    }
  }
}
