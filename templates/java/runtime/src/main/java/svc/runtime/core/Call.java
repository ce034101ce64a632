package svc.runtime.core;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.WaitTimedOutException;

/** One logical call: its requests share settings and a deadline, and end together. */
final class Call {
  private final Connection connection;
  private final Settings settings;
  private final long deadline;

  /** The thread that waits for the end; null when none does. */
  private final Thread waiting;

  private final CompletableFuture<?> result;
  private volatile boolean hasEnded;

  /** The request or wait that is under way. */
  private volatile CompletableFuture<?> current;

  /** The run that is waited for: one that is not over in time runs on. */
  private volatile String awaitedExecution;

  private Call(Connection connection, CallOptions options, CompletableFuture<?> result) {
    this.connection = connection;
    this.result = result;
    settings = connection.settings().with(options);
    deadline = settings.timeout() == null ? 0 : System.nanoTime() + settings.timeout().toNanos();
    waiting = options.isBlocking ? Thread.currentThread() : null;
  }

  /** Does the work of a call, within its time; cancelling the future ends it. */
  static <T> CompletableFuture<T> start(
      Connection connection, CallOptions options, Function<Call, CompletableFuture<T>> work) {
    if (Thread.currentThread().isInterrupted()) {
      return CompletableFuture.failedFuture(
          new CallCancelledException("the thread of the call was interrupted before it", null));
    }
    Objects.requireNonNull(options, "options");
    CompletableFuture<T> result = new CompletableFuture<>();
    Call call = new Call(connection, options, result);
    result.whenComplete((value, failure) -> call.end());
    if (call.settings.timeout() != null) {
      connection.deadlines().add(call);
    }
    try {
      work.apply(call).whenComplete((value, failure) -> settle(result, value, failure));
    } catch (SvcException failure) {
      result.completeExceptionally(failure);
    }
    return result;
  }

  /** Ends a future as another one has ended. */
  static <T> void settle(CompletableFuture<T> result, T value, Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(causeOf(failure));
    }
  }

  /** Gives what is behind the exceptions that futures wrap around a failure. */
  static Throwable causeOf(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  Connection connection() {
    return connection;
  }

  Settings settings() {
    return settings;
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Tells whether the thread that runs is the one that waits for the end: it may as well work. */
  boolean isWaiting() {
    return Thread.currentThread() == waiting;
  }

  /** Gives when the time of a call that has a timeout is up, by {@link System#nanoTime}. */
  long deadline() {
    return deadline;
  }

  /** Gives the time until the deadline; without one, more than anybody waits. */
  Duration timeLeft() {
    return settings.timeout() == null
        ? Duration.ofDays(365)
        : Duration.ofNanos(deadline - System.nanoTime());
  }

  /** Says that the call waits for a run from now on. */
  void awaits(String executionId) {
    awaitedExecution = executionId;
  }

  /** Makes a request or wait the one that ends with the call. */
  <T> CompletableFuture<T> during(CompletableFuture<T> future) {
    current = future;
    if (hasEnded) {
      future.cancel(true);
    }
    return future;
  }

  /** Waits; what follows runs on a thread that may block. */
  CompletableFuture<Void> sleep(Duration delay) {
    if (hasEnded) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    CompletableFuture<Void> timer = new CompletableFuture<>();
    during(timer).completeOnTimeout(null, delay.toNanos(), TimeUnit.NANOSECONDS);
    return timer.thenApplyAsync(Function.identity());
  }

  SvcException timedOut() {
    String executionId = awaitedExecution;
    return executionId == null
        ? new CallTimedOutException("no answer in time", ErrorDetails.NONE)
        : new WaitTimedOutException(
            "execution " + executionId + " has not ended in time; it runs on",
            ErrorDetails.ofExecution(executionId));
  }

  /** Fails the call, unless it has ended. */
  void timeOut() {
    result.completeExceptionally(timedOut());
  }

  /** Fails the call, unless it has ended, since the thread that works for it is interrupted. */
  void interrupt(InterruptedException interruption) {
    Thread.currentThread().interrupt();
    result.completeExceptionally(
        new CallCancelledException("the thread of the call was interrupted", interruption));
  }

  private void end() {
    hasEnded = true;
    connection.deadlines().remove(this);
    CompletableFuture<?> last = current;
    if (last != null) {
      last.cancel(true);
    }
  }
}
