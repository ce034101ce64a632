package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.json.JsonObject;

/**
 * Follows a run: reads its history page by page, then receives further events from a WebSocket.
 * After a lost socket, it does both again, starting with the last page. If sockets are blocked, it
 * polls the history and tries a socket from time to time. No event is delivered twice.
 */
final class Follower implements MessageSource<ExecutionEvent> {
  /** How long a socket may take to become ready. */
  static final Duration LONGEST_OPENING = Duration.ofSeconds(10);

  /** How long the history is polled where sockets are blocked, before a socket is tried again. */
  static final Duration SOCKET_PAUSE = Duration.ofMinutes(1);

  private static final Duration NO_LIMIT = Duration.ofDays(365);

  /**
   * The number of consecutive sockets that fail to become ready after which sockets count as
   * blocked, for example by a proxy.
   */
  private static final int MOST_UNREADY = 3;

  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int UNAUTHORIZED = 401;
  private static final int UPGRADE_REQUIRED = 426;

  /**
   * One message is read ahead, because the end of a connection is noticed at once only while a
   * message is requested. Unread messages are in the history.
   */
  private static final int READ_AHEAD = 1;

  /** The maximum delay between two polls of the history. The minimum is half of it. */
  private static final Duration LONGEST_POLL = Duration.ofSeconds(1);

  /** How long a socket must be ready to reset the retry count, even without retry delays. */
  private static final Duration LEAST_LASTING = Duration.ofMillis(100);

  private final ServiceConnection connection;

  /** Options of the first page, which is read like any other call. */
  private final CallOptions options;

  /**
   * Options of later pages and records, which are not retried: the next connection serves as their
   * retry.
   */
  private final CallOptions onceOptions;

  private final CallOptions socketOptions;
  private final Settings settings;
  private final String executionId;
  private final BiFunction<CallOptions, Optional<String>, CompletableFuture<EventPage>> pages;
  private final Function<CallOptions, CompletableFuture<ExecutionRecord>> record;
  private final Duration longestOpening;
  private final Duration socketPause;

  /** Completed by the last event, a failure or {@link #close}. Completion stops everything else. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** The pending request for an event, or null. */
  private final AtomicReference<CompletableFuture<Optional<ExecutionEvent>>> wanted =
      new AtomicReference<>();

  private final Queue<ExecutionEvent> found = new ArrayDeque<>();
  private final Set<String> known = new HashSet<>();

  /** The cursor of the last page. */
  private Optional<String> cursor = Optional.empty();

  /** Whether a page has been read. Until then, failures are handled as in any call. */
  private boolean hasBegun;

  /** Whether all pages have been read once. */
  private boolean hasHistory;

  private boolean isHistoryRead;

  /**
   * Whether the record says that the run has ended, so that only the rest of the history is to be
   * read.
   */
  private boolean hasRunEnded;

  private boolean isOver;

  /** The open socket, or null. */
  private volatile MessageSocket socket;

  /** The pending request, message or delay. */
  private volatile CompletableFuture<?> current;

  private int sockets;
  private int failures;

  /** The number of consecutive sockets that did not become ready. */
  private int unready;

  /** When a socket is tried again while sockets are blocked, in {@link System#nanoTime}. */
  private long nextTry;

  /** The number of known events when the latest socket or poll of the history began. */
  private int knownBefore;

  /** Whether an event of the socket has arrived. */
  private boolean isBegun;

  /** The first event of the socket, while the history before it is read. */
  private Optional<ExecutionEvent> held = Optional.empty();

  /**
   * Creates a follower. Sends no request.
   *
   * @param pages reads the page of the history at a cursor
   * @param record reads the record of the run
   * @param longestLook the timeout of each request after the first page if attempts have none
   * @param longestOpening how long a socket may take to become ready
   * @param socketPause how long to wait before a socket is tried again where sockets are blocked
   */
  Follower(
      ServiceConnection connection,
      CallOptions options,
      String executionId,
      BiFunction<CallOptions, Optional<String>, CompletableFuture<EventPage>> pages,
      Function<CallOptions, CompletableFuture<ExecutionRecord>> record,
      Duration longestLook,
      Duration longestOpening,
      Duration socketPause) {
    this.connection = connection;
    this.options = options;
    this.settings = connection.settings().with(options);
    Duration attemptTimeout = Objects.requireNonNullElse(settings.attemptTimeout(), longestLook);
    this.onceOptions = options.toBuilder().maxRetries(0).attemptTimeout(attemptTimeout).build();
    this.executionId = executionId;
    this.pages = pages;
    this.record = record;
    this.longestOpening =
        Stream.of(settings.timeout(), settings.attemptTimeout(), longestOpening)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    this.socketPause = socketPause;
    this.socketOptions = options.toBuilder().timeout(this.longestOpening).build();
    end.whenComplete((nothing, failure) -> stop());
  }

  @Override
  public CompletableFuture<Optional<ExecutionEvent>> next() {
    CompletableFuture<Optional<ExecutionEvent>> next = new CompletableFuture<>();
    next.whenComplete(
        (event, failure) -> {
          if (failure instanceof CancellationException) {
            close();
          }
        });
    wanted.set(next);
    if (end.isDone()) {
      settleEnd();
    } else {
      advance();
    }
    return next;
  }

  @Override
  public ErrorDetails details() {
    return ErrorDetails.ofExecution(executionId);
  }

  @Override
  public void close() {
    end.completeExceptionally(new CallCancelledException("the stream was closed", details()));
  }

  /** Reads until there is an event. Results that are available at once are handled in a loop. */
  private void advance() {
    try {
      while (!end.isDone()) {
        ExecutionEvent event = found.poll();
        if (event != null) {
          CompletableFuture<Optional<ExecutionEvent>> next = wanted.getAndSet(null);
          if (next != null) {
            next.complete(Optional.of(event));
          }
          return;
        }
        if (isOver) {
          end.complete(null);
          return;
        }
        CompletableFuture<Void> step = isHistoryRead ? goOn() : readPage();
        if (!step.isDone()) {
          step.whenComplete(
              (nothing, failure) -> {
                check(failure);
                advance();
              });
          return;
        }
        step.whenComplete((nothing, failure) -> check(failure));
      }
    } catch (RuntimeException | Error failure) {
      end.completeExceptionally(failure);
    }
  }

  private void check(Throwable failure) {
    if (failure != null) {
      end.completeExceptionally(Call.causeOf(failure));
    }
  }

  private CompletableFuture<Void> readPage() {
    return during(pages.apply(hasBegun ? onceOptions : options, cursor))
        .handle(
            (page, failure) -> {
              if (failure == null) {
                take(page);
                return CompletableFuture.<Void>completedFuture(null);
              }
              return hasBegun
                  ? recover(Call.causeOf(failure), isFruitful())
                  : CompletableFuture.<Void>failedFuture(failure);
            })
        .thenCompose(Function.identity());
  }

  private void take(EventPage page) {
    for (ExecutionEvent event : page.items()) {
      // Events without an id cannot be compared, so only the first pass over the history delivers
      // them.
      if (isNew(event) || event.ulid().isEmpty() && !hasHistory) {
        give(event);
      }
    }
    cursor = page.nextCursor().or(() -> cursor);
    hasBegun = true;
    isHistoryRead = page.nextCursor().isEmpty();
    hasHistory |= isHistoryRead;
    isOver |= isHistoryRead && hasRunEnded;
  }

  private CompletableFuture<Void> goOn() {
    boolean isBlocked = unready >= MOST_UNREADY && socket == null;
    return isBlocked && System.nanoTime() - nextTry < 0 ? poll() : listen();
  }

  /** Reads the next message of the socket, and opens a socket if there is none. */
  private CompletableFuture<Void> listen() {
    if (held.isPresent()) {
      ExecutionEvent first = held.get();
      held = Optional.empty();
      if (isNew(first)) {
        give(first);
      }
      return CompletableFuture.completedFuture(null);
    }
    MessageSocket open = socket;
    return during(open == null ? connect() : open.next())
        .thenApply(message -> message.map(this::eventOf))
        .handle(
            (event, failure) -> {
              if (failure != null) {
                socket.logLoss(failure);
                return recover(named(Call.causeOf(failure)), isFruitful());
              }
              if (event.isEmpty()) {
                return endOrReconnect();
              }
              hear(event.get());
              return CompletableFuture.<Void>completedFuture(null);
            })
        .thenCompose(Function.identity());
  }

  private ExecutionEvent eventOf(String message) {
    try {
      return new ExecutionEvent(JsonObject.parse(message));
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(socket.received(message), wrong.getMessage(), wrong);
    }
  }

  private void hear(ExecutionEvent event) {
    if (event.type().equals("SESSION_READY") || event.ulid().isEmpty()) {
      return;
    }
    boolean isFirst = !isBegun;
    isBegun = true;
    if (!isNew(event)) {
      return;
    }
    if (isFirst) {
      // There may be events between the last page and the first event of the socket.
      held = Optional.of(event);
      isHistoryRead = false;
    } else {
      give(event);
    }
  }

  private CompletableFuture<Optional<String>> connect() {
    String path = "/invocations/v1/debug-stream?session_id=" + executionId + "&decode=true";
    MessageSocket opening = new MessageSocket(settings, path, ++sockets, READ_AHEAD);
    opening.concerns(executionId);
    knownBefore = known.size();
    isBegun = false;
    socket = opening;
    return Call.start(
        connection,
        socketOptions,
        call -> {
          call.concerns(executionId);
          return opening.open(call, null);
        });
  }

  /**
   * Replaces the timeout of a socket by one that names its limit, which the caller may not have
   * set.
   */
  private Throwable named(Throwable cause) {
    return cause instanceof CallTimedOutException late && late.getCause() == null
        ? new CallTimedOutException(
            "the WebSocket was not ready within " + longestOpening.toMillis() + " ms",
            late.details())
        : cause;
  }

  /**
   * Checks whether the run has ended after the socket was closed with 1000. The service closes the
   * socket at the end of the run, but not every run has a last event, and intermediaries may close
   * the socket earlier.
   */
  private CompletableFuture<Void> endOrReconnect() {
    boolean isFruitful = isFruitful();
    StreamInterruptedException early =
        socket.interrupted("the service closed the WebSocket with 1000, before the run ended");
    return endOr(() -> recover(early, isFruitful), isFruitful);
  }

  /**
   * Checks whether the run has ended if the history had no new events, and polls the history again.
   */
  private CompletableFuture<Void> poll() {
    return known.size() > knownBefore ? readAgain() : endOr(this::readAgain, false);
  }

  /** Waits before the history is polled again. */
  private CompletableFuture<Void> readAgain() {
    failures = 0;
    knownBefore = known.size();
    isHistoryRead = false;
    return sleep(pollDelay());
  }

  private static Duration pollDelay() {
    long half = LONGEST_POLL.toNanos() / 2;
    return Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half));
  }

  /**
   * Reads the record. If the run has ended, the rest of the history is read; otherwise, the
   * alternative continues.
   */
  private CompletableFuture<Void> endOr(
      Supplier<CompletableFuture<Void>> otherwise, boolean isFruitful) {
    return during(record.apply(onceOptions))
        .handle(
            (found, failure) -> {
              if (failure != null) {
                return recover(Call.causeOf(failure), isFruitful);
              }
              if (!found.hasEnded()) {
                return otherwise.get();
              }
              hasRunEnded = true;
              leaveSocket();
              return CompletableFuture.<Void>completedFuture(null);
            })
        .thenCompose(Function.identity());
  }

  /**
   * Reports whether the socket delivered a new event, or stayed ready for longer than the longest
   * retry delay.
   */
  private boolean isFruitful() {
    return known.size() > knownBefore
        || socket != null
            && socket.lasted().compareTo(settings.longestDelay()) > 0
            && socket.lasted().compareTo(LEAST_LASTING) > 0;
  }

  /** Closes the socket and returns it, or null if there is none. The history is read next. */
  private MessageSocket leaveSocket() {
    MessageSocket left = socket;
    socket = null;
    held = Optional.empty();
    isHistoryRead = false;
    if (left != null) {
      left.close();
    }
    return left;
  }

  /**
   * Waits before the history is read again and the next socket is opened. Fails if retrying is
   * pointless.
   */
  private CompletableFuture<Void> recover(Throwable cause, boolean isFruitful) {
    failures = isFruitful ? 1 : failures + 1;
    knownBefore = known.size();
    MessageSocket lost = leaveSocket();
    if (lost != null) {
      unready = lost.isReady() ? 0 : unready + 1;
    }
    if (!(cause instanceof SvcException failure)) {
      return CompletableFuture.failedFuture(cause);
    }
    if (lost != null && unready > MOST_UNREADY) {
      // The socket was only a trial: the history can be read.
      return followByPages(lost, Level.DEBUG, failure);
    }
    if (!mayPass(failure) && !(lost != null && isBlocked(failure))
        || failures > settings.mostReconnects()) {
      return CompletableFuture.failedFuture(cause);
    }
    Optional<Duration> delay = RetryPolicy.delayBefore(failures, failure, settings);
    if (delay.isEmpty()) {
      return CompletableFuture.failedFuture(cause);
    }
    if (lost != null && unready == MOST_UNREADY) {
      return followByPages(lost, Level.INFO, failure);
    }
    Duration wait = RetryPolicy.spread(delay.get(), failure, settings, NO_LIMIT);
    String when = " again in " + wait.toMillis() + " ms: " + failure.getMessage();
    if (lost == null) {
      Exchange.log(settings, Level.INFO, "execution " + executionId + " is read" + when);
    } else {
      lost.log(Level.INFO, "is opened" + when);
    }
    return sleep(wait);
  }

  /** Waits before the history is polled again. No socket is opened for a while. */
  private CompletableFuture<Void> followByPages(
      MessageSocket lost, Level level, SvcException failure) {
    nextTry = System.nanoTime() + socketPause.toNanos();
    lost.log(
        level,
        "is opened again in "
            + socketPause.toSeconds()
            + " s, polling the run's events until then: "
            + failure.getMessage());
    return sleep(pollDelay());
  }

  private CompletableFuture<Void> sleep(Duration wait) {
    CompletableFuture<Void> timer = new CompletableFuture<>();
    during(timer).completeOnTimeout(null, wait.toNanos(), TimeUnit.NANOSECONDS);
    // Not on the thread of the timer.
    return timer.thenApplyAsync(Function.identity(), Workers.THREADS);
  }

  private static boolean mayPass(SvcException failure) {
    return failure instanceof CallTimedOutException || RetryPolicy.mayPass(failure);
  }

  /**
   * Reports whether a proxy rejected a socket, or forwarded the request without its upgrade. Other
   * rejections by the service have a code.
   */
  private static boolean isBlocked(SvcException failure) {
    int status = failure.status().orElse(SWITCHING_PROTOCOLS);
    return status == UPGRADE_REQUIRED
        || status != SWITCHING_PROTOCOLS && status != UNAUTHORIZED && failure.code().isEmpty();
  }

  private boolean isNew(ExecutionEvent event) {
    return !event.ulid().isEmpty() && !known.contains(event.ulid());
  }

  private void give(ExecutionEvent event) {
    if (isOver) {
      return;
    }
    if (!event.ulid().isEmpty()) {
      known.add(event.ulid());
    }
    found.add(event);
    isOver =
        event.type().equals(ExecutionEvent.Type.FLOW_COMPLETED)
            || event.type().equals(ExecutionEvent.Type.FLOW_FAILED);
  }

  /** Sets the pending step, which is cancelled when the stream ends. */
  private <T> CompletableFuture<T> during(CompletableFuture<T> future) {
    current = future;
    if (end.isDone()) {
      stop();
    }
    return future;
  }

  private void stop() {
    CompletableFuture<?> last = current;
    if (last != null) {
      last.cancel(true);
    }
    MessageSocket open = socket;
    if (open != null) {
      open.close();
    }
    settleEnd();
  }

  private void settleEnd() {
    CompletableFuture<Optional<ExecutionEvent>> next = wanted.getAndSet(null);
    if (next != null) {
      end.whenComplete((nothing, failure) -> Call.settle(next, Optional.empty(), failure));
    }
  }
}
