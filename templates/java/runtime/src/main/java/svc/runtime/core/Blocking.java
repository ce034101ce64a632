package svc.runtime.core;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.SvcException;

/** Runs calls synchronously. */
final class Blocking {
  private Blocking() {}

  /**
   * Runs a call and waits for its end. Interrupting the thread cancels it.
   *
   * @param options options of the call
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return its result
   * @throws SvcException if it fails
   */
  static <T> T call(CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return call(options, ErrorDetails.NONE, call);
  }

  /**
   * Runs a call and waits for its end. Interrupting the thread cancels it.
   *
   * @param options options of the call
   * @param known the details known before the call starts, for an exception if it is cancelled
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return its result
   * @throws SvcException if it fails
   */
  static <T> T call(
      CallOptions options, ErrorDetails known, Function<CallOptions, CompletableFuture<T>> call) {
    Objects.requireNonNull(options, "options");
    WaitingThread here = new WaitingThread(known);
    return await(here, () -> call.apply(options.waitedForBy(here)), here::details);
  }

  /** Starts a call, unless the thread is interrupted, and waits for its end. */
  static <T> T await(Supplier<CompletableFuture<T>> call) {
    return await(call, () -> ErrorDetails.NONE);
  }

  /**
   * Starts a call, unless the thread is interrupted, and waits for its end.
   *
   * @param details returns the known details of the call, for an exception if it is cancelled
   */
  static <T> T await(Supplier<CompletableFuture<T>> call, Supplier<ErrorDetails> details) {
    return await(new WaitingThread(ErrorDetails.NONE), call, details);
  }

  private static <T> T await(
      WaitingThread here, Supplier<CompletableFuture<T>> call, Supplier<ErrorDetails> details) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CallCancelledException("the thread of the call was interrupted", details.get());
    }
    return await(here, call.get(), details);
  }

  /**
   * Requests something from a stream and waits for it. Interrupting the thread closes the stream.
   */
  static <T> T await(Supplier<CompletableFuture<T>> ask, MessageSource<?> stream) {
    try {
      return await(ask, stream::details);
    } catch (CallCancelledException cancelled) {
      // The thread may have been interrupted before the request.
      stream.close();
      throw cancelled;
    }
  }

  /** Waits for the end of a call. Interrupting the thread cancels it. */
  static <T> T await(CompletableFuture<T> call, Supplier<ErrorDetails> details) {
    return await(new WaitingThread(ErrorDetails.NONE), call, details);
  }

  private static <T> T await(
      WaitingThread here, CompletableFuture<T> call, Supplier<ErrorDetails> details) {
    try {
      return here.await(call);
    } catch (InterruptedException interruption) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new CallCancelledException(
          "the thread of the call was interrupted", details.get(), interruption);
    } catch (CancellationException cancellation) {
      throw new CallCancelledException("the call was cancelled", details.get(), cancellation);
    } catch (ExecutionException failure) {
      throw rethrown(failure.getCause());
    }
  }

  /** Adds the caller's stack to an exception that another thread created. */
  private static RuntimeException rethrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RuntimeException failure) {
      if (!isFromHere(failure)
          && Arrays.stream(failure.getSuppressed()).noneMatch(CalledHere.class::isInstance)) {
        failure.addSuppressed(new CalledHere());
      }
      return failure;
    }
    return new CompletionException(cause);
  }

  private static boolean isFromHere(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(Blocking.class.getName()));
  }

  /** Adds the stack of the caller to the stack trace of an exception. */
  private static final class CalledHere extends RuntimeException {
    private static final long serialVersionUID = 1;

    CalledHere() {
      super("the call was made here");
    }
  }
}
