package svc.runtime.core;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.WaitTimedOutException;

/** A call. Its requests share settings and a deadline, and end together. */
final class Call {
  private final ServiceConnection connection;
  private final Settings settings;
  private final long deadline;

  /** The thread that waits for the end, or null. */
  private final WaitingThread waiting;

  private final CompletableFuture<?> result;
  private volatile boolean hasEnded;

  /** The pending request or delay. */
  private volatile CompletableFuture<?> current;

  /** The name of the latest attempt in log lines. */
  private volatile String attempt;

  /**
   * The number of attempts of the last request, and its idempotency key; the key is null for reads.
   */
  private volatile int attempts;

  private volatile String idempotencyKey;

  /** The idempotency key that started the run that the call waits for; null if it is unknown. */
  private volatile String startKey;

  /** The run that the call concerns, or null. */
  private volatile String executionId;

  /** The failure of the latest request; null if it succeeded or has not ended. */
  private volatile SvcException latestFailure;

  /** Whether the latest attempt has no outcome yet. */
  private volatile boolean isUnanswered;

  /** When the latest attempt began, on the clock of the connection. */
  private volatile long begun;

  /**
   * When the first attempt of the request began that failed and may have been processed; null if
   * there is none.
   */
  private volatile Long firstLost;

  /** Whether the call waits for the run to end. The run continues after a timeout. */
  private volatile boolean isWaitingForRun;

  /** The timeout of each attempt; null if only the timeout of the call applies. */
  private volatile Duration attemptTimeout;

  private Call(
      ServiceConnection connection,
      Settings settings,
      WaitingThread waiting,
      CompletableFuture<?> result) {
    this.connection = connection;
    this.settings = settings;
    this.waiting = waiting;
    this.result = result;
    attemptTimeout = settings.attemptTimeout();
    deadline = settings.timeout() == null ? 0 : System.nanoTime() + settings.timeout().toNanos();
  }

  /** Runs a call within its timeout. Cancelling the future ends it. */
  static <T> CompletableFuture<T> start(
      ServiceConnection connection,
      CallOptions options,
      Function<Call, CompletableFuture<T>> work) {
    Objects.requireNonNull(options, "options");
    CompletableFuture<T> result = new CompletableFuture<>();
    if (isOpen(connection, result)) {
      Settings settings = connection.settings().with(options);
      new Call(connection, settings, options.waiting, result).run(result, work);
    }
    return result;
  }

  /**
   * Runs a call within its timeout until its result is complete. Others may complete the result.
   */
  static <T> void start(
      ServiceConnection connection,
      Settings settings,
      CompletableFuture<T> result,
      Function<Call, CompletableFuture<T>> work) {
    if (isOpen(connection, result)) {
      new Call(connection, settings, null, result).run(result, work);
    }
  }

  /** Reports whether a connection accepts calls. Fails the result if it does not. */
  private static boolean isOpen(ServiceConnection connection, CompletableFuture<?> result) {
    if (connection.isClosed()) {
      result.completeExceptionally(new ConfigurationException("the client is closed"));
    }
    return !result.isDone();
  }

  private <T> void run(CompletableFuture<T> own, Function<Call, CompletableFuture<T>> work) {
    if (waiting != null) {
      waiting.waitsFor(this);
    }
    own.whenComplete((value, failure) -> end());
    if (settings.timeout() != null) {
      connection.deadlines().add(this);
    }
    try {
      work.apply(this).whenComplete((value, failure) -> settle(own, value, failure));
    } catch (SvcException failure) {
      own.completeExceptionally(failure);
    }
  }

  /** Completes a future with the outcome of another. */
  static <T> void settle(CompletableFuture<T> result, T value, Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(causeOf(failure));
    }
  }

  /**
   * Unwraps the exceptions of futures, and the error that the JDK throws if it cannot open a
   * connection because the process has run out of file descriptors.
   */
  static Throwable causeOf(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof InternalError && cause.getCause() instanceof IOException unopened
        ? unopened
        : cause;
  }

  ServiceConnection connection() {
    return connection;
  }

  Settings settings() {
    return settings;
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Reports whether the current thread waits for the end of the call, and can run its work. */
  boolean isWaiting() {
    return waiting != null && waiting.isCurrent();
  }

  /** Reports whether another thread waits for the end of the call, and can run its work. */
  boolean isElsewhere() {
    return waiting != null && !waiting.isCurrent();
  }

  /**
   * Returns the executor that continues the call: the thread that waits for its end, or else a
   * worker.
   */
  Executor executor() {
    return waiting == null ? Workers.THREADS : waiting;
  }

  /** Returns the deadline of a call with a timeout, in {@link System#nanoTime}. */
  long deadline() {
    return deadline;
  }

  /** Returns the time until the deadline, or a very long time if there is none. */
  Duration timeLeft() {
    return settings.timeout() == null
        ? Duration.ofDays(365)
        : Duration.ofNanos(deadline - System.nanoTime());
  }

  /** Returns the timeout of each attempt, or null if only the timeout of the call applies. */
  Duration attemptTimeout() {
    return attemptTimeout;
  }

  /** Records the run that the call concerns. */
  void concerns(String id) {
    executionId = id;
  }

  /**
   * Records the run that the call waits for.
   *
   * @param key the idempotency key that started it, if known
   * @param longestLook the timeout of each poll if attempts have none
   */
  void awaits(String id, Optional<String> key, Duration longestLook) {
    executionId = id;
    startKey = key.orElse(null);
    isWaitingForRun = true;
    if (attemptTimeout == null) {
      attemptTimeout = longestLook;
    }
  }

  /** Returns the idempotency key that started the run that the call waits for, or null. */
  String startKey() {
    return startKey;
  }

  /** Returns the run that the call concerns. */
  Optional<String> executionId() {
    return Optional.ofNullable(executionId);
  }

  /** Records an attempt, for exceptions about the call and for its log. */
  void attempts(String name, int number, String key) {
    attempt = name;
    attempts = number;
    idempotencyKey = key;
    begun = connection.now();
    isUnanswered = true;
  }

  /** Records the failure of the latest attempt, or null if it succeeded. */
  void latestFailure(SvcException failure) {
    latestFailure = failure;
    isUnanswered = false;
    if (failure == null) {
      firstLost = null;
    } else if (firstLost == null && RetryPolicy.mayBeHandled(failure)) {
      firstLost = begun;
    }
  }

  /** Reports whether an attempt of the request failed that may have been processed. */
  boolean mayBeHandled() {
    return firstLost != null;
  }

  /** Returns the time within which a retry of a request that starts a run may begin. */
  Duration timeLeftForKey() {
    Long first = firstLost;
    return first == null
        ? timeLeft()
        : RetryPolicy.timeLeft(timeLeft(), Duration.ofNanos(connection.now() - first));
  }

  /** Reports whether the call waits for a run, which it polls by one request at a time. */
  boolean isWaitingForRun() {
    return isWaitingForRun;
  }

  /** Logs a line about the latest attempt. */
  void log(Level level, String what) {
    Exchange.log(settings, level, attempt + ", " + what);
  }

  /** Returns the pending request or delay. */
  CompletableFuture<?> current() {
    return current;
  }

  /** Sets the pending request or delay, which ends with the call. */
  <T> CompletableFuture<T> during(CompletableFuture<T> future) {
    current = future;
    if (hasEnded) {
      future.cancel(true);
    }
    return future;
  }

  /** Waits. The continuation runs on a thread that can block. */
  CompletableFuture<Void> sleep(Duration delay) {
    if (hasEnded) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    CompletableFuture<Void> timer = new CompletableFuture<>();
    during(timer).completeOnTimeout(null, delay.toNanos(), TimeUnit.NANOSECONDS);
    return timer.thenApplyAsync(Function.identity(), executor());
  }

  /** Returns the details of an exception about the call. */
  ErrorDetails details() {
    return ErrorDetails.builder()
        .executionId(executionId())
        .attempts(attempts)
        .idempotencyKey(Optional.ofNullable(idempotencyKey))
        .build();
  }

  SvcException timedOut() {
    String limit = settings.timeout().toMillis() + " ms";
    SvcException earlier = latestFailure;
    if (!isWaitingForRun) {
      String message =
          "the call did not complete within its timeout of "
              + limit
              + Failures.origin("", executionId(), Optional.empty());
      return earlier == null
          ? new CallTimedOutException(message, details())
          : new CallTimedOutException(
              message + "; an earlier attempt failed: " + earlier.getMessage(), details(), earlier);
    }
    String message = "execution " + executionId + " did not end within " + limit;
    if (earlier == null) {
      String state = isUnanswered ? "it may still be running" : "it continues to run";
      return new WaitTimedOutException(message + "; " + state, details());
    }
    return new WaitTimedOutException(
        message + "; it may still be running; reading it failed: " + earlier.getMessage(),
        details(),
        earlier);
  }

  /** Fails the call, unless it has ended. */
  void timeOut() {
    result.completeExceptionally(timedOut());
  }

  /** Runs an action at the end of the call. */
  void whenEnded(Runnable action) {
    result.whenComplete((value, failure) -> action.run());
  }

  /** Fails the call, unless it has ended. */
  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  /** Fails the call, unless it has ended, because its thread is interrupted. */
  void interrupt(InterruptedException interruption) {
    Thread.currentThread().interrupt();
    result.completeExceptionally(
        new CallCancelledException(
            "the thread of the call was interrupted", details(), interruption));
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
