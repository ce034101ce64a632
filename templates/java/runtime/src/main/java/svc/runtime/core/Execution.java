package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.FlowPausedException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.WaitTimedOutException;
import svc.runtime.internal.Codec;

/**
 * A handle to a run of a flow, created by starting the flow or from the id of an earlier run.
 *
 * @param <O> the type of its output
 */
public final class Execution<O> {
  private static final String EXECUTIONS_PATH = "/invocations/v1/executions/";
  private static final String NOT_CANCELLABLE = "execution_not_cancellable";
  private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{32}");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /**
   * The timeout of each poll, and of each request of a follower after its first page, if attempts
   * have none.
   */
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

  private static final EventFilter ENDS =
      EventFilter.ofTypes(ExecutionEvent.Type.FLOW_COMPLETED, ExecutionEvent.Type.FLOW_FAILED);
  private static final EventFilter LARGE_PAGES = EventFilter.ALL.withPageSize(1000);

  private final ServiceConnection connection;
  private final String id;
  private final Codec<O> output;

  /** The idempotency key that started the run; empty if the handle was created from an id. */
  private final Optional<String> startKey;

  Execution(ServiceConnection connection, String id, Codec<O> output, Optional<String> startKey) {
    this.connection = connection;
    this.id = id;
    this.output = output;
    this.startKey = startKey;
  }

  /**
   * Returns the execution id.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Retrieves the current state of the run.
   *
   * @return the record
   */
  public ExecutionRecord get() {
    return get(CallOptions.none());
  }

  /**
   * Retrieves the current state of the run.
   *
   * @param options options of this call
   * @return the record
   */
  public ExecutionRecord get(CallOptions options) {
    return call(options, this::getAsync);
  }

  /**
   * Retrieves the current state of the run.
   *
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> getAsync() {
    return getAsync(CallOptions.none());
  }

  /**
   * Retrieves the current state of the run.
   *
   * @param options options of this call
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> getAsync(CallOptions options) {
    return start(options, this::look);
  }

  /**
   * Waits for the run to end and returns its output. The wait survives outages of the service until
   * its timeout, unless {@code maxRetries} is 0.
   *
   * @return the output
   * @throws FlowFailedException if the run failed or was cancelled
   * @throws FlowPausedException if it waits for a decision
   * @throws WaitTimedOutException if it did not end in time; it continues to run, or the cause says
   *     why its state could not be read
   */
  public O await() {
    return await(CallOptions.none());
  }

  /**
   * Waits for the run to end and returns its output. The wait survives outages of the service until
   * its timeout, unless {@code maxRetries} is 0.
   *
   * @param options options of this call
   * @return the output
   * @throws FlowFailedException if the run failed or was cancelled
   * @throws FlowPausedException if it waits for a decision
   * @throws WaitTimedOutException if it did not end in time; it continues to run, or the cause says
   *     why its state could not be read
   */
  public O await(CallOptions options) {
    return call(options, this::awaitAsync);
  }

  /**
   * Waits for the run to end and returns its output. The wait survives outages of the service until
   * its timeout, unless {@code maxRetries} is 0. Cancelling the future ends the wait, not the run.
   *
   * @return the output
   */
  public CompletableFuture<O> awaitAsync() {
    return awaitAsync(CallOptions.none());
  }

  /**
   * Waits for the run to end and returns its output. The wait survives outages of the service until
   * its timeout, unless {@code maxRetries} is 0. Cancelling the future ends the wait, not the run.
   *
   * @param options options of this call
   * @return the output
   */
  public CompletableFuture<O> awaitAsync(CallOptions options) {
    return awaitAsync(options, LONGEST_LOOK);
  }

  /**
   * Cancels the run and returns its record. Calls of its nodes are aborted.
   *
   * @return the record
   * @throws StatusException if the run has ended (409)
   */
  public ExecutionRecord cancel() {
    return cancel(CallOptions.none());
  }

  /**
   * Cancels the run and returns its record. Calls of its nodes are aborted.
   *
   * @param options options of this call
   * @return the record
   * @throws StatusException if the run has ended (409)
   */
  public ExecutionRecord cancel(CallOptions options) {
    return call(options, this::cancelAsync);
  }

  /**
   * Cancels the run and returns its record. Calls of its nodes are aborted.
   *
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> cancelAsync() {
    return cancelAsync(CallOptions.none());
  }

  /**
   * Cancels the run and returns its record. Calls of its nodes are aborted.
   *
   * @param options options of this call
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> cancelAsync(CallOptions options) {
    return start(
        options,
        call ->
            Exchange.post(call, EXECUTIONS_PATH + id + "/cancel", () -> "{}")
                .thenApply(ExecutionRecord::of)
                .handle(
                    (record, failure) ->
                        failure == null
                            ? CompletableFuture.completedFuture(record)
                            : afterRefusedCancel(call, Call.causeOf(failure)))
                .thenCompose(Function.identity()));
  }

  /**
   * Returns the record if an earlier attempt, whose response was lost, cancelled the run.
   * Otherwise, fails with the given failure.
   */
  private CompletableFuture<ExecutionRecord> afterRefusedCancel(Call call, Throwable failure) {
    CompletableFuture<ExecutionRecord> refused = CompletableFuture.failedFuture(failure);
    if (!(failure instanceof StatusException refusal)
        || refusal.attempts() < 2
        || refusal.code().filter(NOT_CANCELLABLE::equalsIgnoreCase).isEmpty()) {
      return refused;
    }
    return look(call)
        .thenCompose(
            record ->
                record.status() == ExecutionStatus.CANCELLED
                    ? CompletableFuture.completedFuture(record)
                    : refused);
  }

  /**
   * Lists the pauses of the run, oldest first. At most one of them waits.
   *
   * @return the pauses
   */
  public List<Pause> pauses() {
    return pauses(CallOptions.none());
  }

  /**
   * Lists the pauses of the run, oldest first. At most one of them waits.
   *
   * @param options options of this call
   * @return the pauses
   */
  public List<Pause> pauses(CallOptions options) {
    return call(options, this::pausesAsync);
  }

  /**
   * Lists the pauses of the run, oldest first. At most one of them waits.
   *
   * @return the pauses
   */
  public CompletableFuture<List<Pause>> pausesAsync() {
    return pausesAsync(CallOptions.none());
  }

  /**
   * Lists the pauses of the run, oldest first. At most one of them waits.
   *
   * @param options options of this call
   * @return the pauses
   */
  public CompletableFuture<List<Pause>> pausesAsync(CallOptions options) {
    return start(
        options,
        call ->
            Exchange.get(call, EXECUTIONS_PATH + id + "/pauses")
                .thenApply(response -> PausePage.of(response, Optional.empty()).items()));
  }

  /**
   * Decides on a pause of the run, which then continues. The first decision wins; {@code
   * alreadyResumed()} is true for later ones. The {@code code()} of an exception says why a
   * decision was rejected: {@code invalid_resume_value} leaves the pause waiting.
   *
   * @param pauseId the id of the pause
   * @param decision the decision
   * @return the resumed pause
   * @throws StatusException if the decision was rejected
   */
  public ResumedPause resume(String pauseId, PauseDecision decision) {
    return resume(pauseId, decision, CallOptions.none());
  }

  /**
   * Decides on a pause of the run, which then continues. The first decision wins; {@code
   * alreadyResumed()} is true for later ones. The {@code code()} of an exception says why a
   * decision was rejected: {@code invalid_resume_value} leaves the pause waiting.
   *
   * @param pauseId the id of the pause
   * @param decision the decision
   * @param options options of this call
   * @return the resumed pause
   * @throws StatusException if the decision was rejected
   */
  public ResumedPause resume(String pauseId, PauseDecision decision, CallOptions options) {
    return call(options, own -> resumeAsync(pauseId, decision, own));
  }

  /**
   * Decides on a pause of the run, which then continues. The first decision wins; {@code
   * alreadyResumed()} is true for later ones. The {@code code()} of an exception says why a
   * decision was rejected: {@code invalid_resume_value} leaves the pause waiting.
   *
   * @param pauseId the id of the pause
   * @param decision the decision
   * @return the resumed pause
   */
  public CompletableFuture<ResumedPause> resumeAsync(String pauseId, PauseDecision decision) {
    return resumeAsync(pauseId, decision, CallOptions.none());
  }

  /**
   * Decides on a pause of the run, which then continues. The first decision wins; {@code
   * alreadyResumed()} is true for later ones. The {@code code()} of an exception says why a
   * decision was rejected: {@code invalid_resume_value} leaves the pause waiting.
   *
   * @param pauseId the id of the pause
   * @param decision the decision
   * @param options options of this call
   * @return the resumed pause
   */
  public CompletableFuture<ResumedPause> resumeAsync(
      String pauseId, PauseDecision decision, CallOptions options) {
    Objects.requireNonNull(pauseId, "pauseId");
    Objects.requireNonNull(decision, "decision");
    return start(
        options,
        call -> {
          String body = decision.body(pauseId);
          return Exchange.post(call, "/invocations/v1/flows/" + id + "/resume", () -> body)
              .thenApply(ResumedPause::of);
        });
  }

  /**
   * Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends
   * with the status {@link ExecutionStatus#FORKED}. App keys cannot fork.
   *
   * @param fork where the fork continues, and with what
   * @return the fork
   * @throws StatusException if the run cannot be continued (409)
   */
  public Execution<O> fork(Fork fork) {
    return fork(fork, CallOptions.none());
  }

  /**
   * Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends
   * with the status {@link ExecutionStatus#FORKED}. App keys cannot fork.
   *
   * @param fork where the fork continues, and with what
   * @param options options of this call
   * @return the fork
   * @throws StatusException if the run cannot be continued (409)
   */
  public Execution<O> fork(Fork fork, CallOptions options) {
    return call(options, own -> forkAsync(fork, own));
  }

  /**
   * Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends
   * with the status {@link ExecutionStatus#FORKED}. App keys cannot fork.
   *
   * @param fork where the fork continues, and with what
   * @return the fork
   */
  public CompletableFuture<Execution<O>> forkAsync(Fork fork) {
    return forkAsync(fork, CallOptions.none());
  }

  /**
   * Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends
   * with the status {@link ExecutionStatus#FORKED}. App keys cannot fork.
   *
   * @param fork where the fork continues, and with what
   * @param options options of this call
   * @return the fork
   */
  public CompletableFuture<Execution<O>> forkAsync(Fork fork, CallOptions options) {
    Objects.requireNonNull(fork, "fork");
    return start(
        options,
        call -> {
          String body = fork.body();
          return Exchange.invoke(call, EXECUTIONS_PATH + id + "/fork", () -> body)
              .thenApply(
                  response ->
                      new Execution<>(
                          connection,
                          FlowEndpoint.idOf(response),
                          output,
                          response.raw().idempotencyKey()));
        });
  }

  /**
   * Returns the events of the run recorded so far, oldest first. It does not wait for further
   * events. Pages load lazily.
   *
   * @return the events
   */
  public Stream<ExecutionEvent> events() {
    return events(EventFilter.ALL);
  }

  /**
   * Returns selected events of the run recorded so far, oldest first. It does not wait for further
   * events. Pages load lazily.
   *
   * @param filter the events to include
   * @return the events
   */
  public Stream<ExecutionEvent> events(EventFilter filter) {
    return events(filter, CallOptions.none());
  }

  /**
   * Returns selected events of the run recorded so far, oldest first. It does not wait for further
   * events. Pages load lazily.
   *
   * @param filter the events to include
   * @param options options of the call for each page
   * @return the events
   */
  public Stream<ExecutionEvent> events(EventFilter filter, CallOptions options) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(options, "options");
    return Pages.stream(
        cursor -> call(options, own -> start(own, call -> page(call, filter, cursor))));
  }

  /**
   * Returns the events of the run recorded so far, oldest first. It does not wait for further
   * events.
   *
   * @return the events
   */
  public CompletableFuture<List<ExecutionEvent>> eventsAsync() {
    return eventsAsync(EventFilter.ALL);
  }

  /**
   * Returns selected events of the run recorded so far, oldest first. It does not wait for further
   * events.
   *
   * @param filter the events to include
   * @return the events
   */
  public CompletableFuture<List<ExecutionEvent>> eventsAsync(EventFilter filter) {
    return eventsAsync(filter, CallOptions.none());
  }

  /**
   * Returns selected events of the run recorded so far, oldest first. It does not wait for further
   * events.
   *
   * @param filter the events to include
   * @param options options of the call, which includes all pages
   * @return the events
   */
  public CompletableFuture<List<ExecutionEvent>> eventsAsync(
      EventFilter filter, CallOptions options) {
    Objects.requireNonNull(filter, "filter");
    return start(options, call -> collect(call, filter));
  }

  /**
   * Returns all events of the run, oldest first, followed by new events as they happen. It ends
   * after the last event, even if the run fails, and stays open during a pause. A lost connection
   * is re-established, at most {@code maxRetries} times in succession without a new event, but at
   * least eight times unless {@code maxRetries} is 0. If three consecutive WebSockets do not open,
   * for example behind a proxy that blocks them, it polls the recorded events about once a second
   * instead, and tries a WebSocket again every minute.
   *
   * @return the events
   */
  public EventStream follow() {
    return follow(CallOptions.none());
  }

  /**
   * Returns all events of the run, oldest first, followed by new events as they happen. It ends
   * after the last event, even if the run fails, and stays open during a pause. A lost connection
   * is re-established, at most {@code maxRetries} times in succession without a new event, but at
   * least eight times unless {@code maxRetries} is 0. If three consecutive WebSockets do not open,
   * for example behind a proxy that blocks them, it polls the recorded events about once a second
   * instead, and tries a WebSocket again every minute.
   *
   * @param options options of the calls; the timeout limits the reading of each page and the
   *     opening of each connection, which may take at most ten seconds, but not the whole stream
   * @return the events
   */
  public EventStream follow(CallOptions options) {
    return new EventStream(follower(options));
  }

  /**
   * Returns all events of the run, oldest first, followed by new events as they happen. It ends
   * after the last event, even if the run fails, and stays open during a pause. A lost connection
   * is re-established, at most {@code maxRetries} times in succession without a new event, but at
   * least eight times unless {@code maxRetries} is 0. If three consecutive WebSockets do not open,
   * for example behind a proxy that blocks them, it polls the recorded events about once a second
   * instead, and tries a WebSocket again every minute.
   *
   * @return the events
   */
  public AsyncEventStream followAsync() {
    return followAsync(CallOptions.none());
  }

  /**
   * Returns all events of the run, oldest first, followed by new events as they happen. It ends
   * after the last event, even if the run fails, and stays open during a pause. A lost connection
   * is re-established, at most {@code maxRetries} times in succession without a new event, but at
   * least eight times unless {@code maxRetries} is 0. If three consecutive WebSockets do not open,
   * for example behind a proxy that blocks them, it polls the recorded events about once a second
   * instead, and tries a WebSocket again every minute.
   *
   * @param options options of the calls; the timeout limits the reading of each page and the
   *     opening of each connection, which may take at most ten seconds, but not the whole stream
   * @return the events
   */
  public AsyncEventStream followAsync(CallOptions options) {
    return new AsyncEventStream(follower(options));
  }

  @Override
  public String toString() {
    return "execution " + id;
  }

  /** Reports whether a string has the form of an execution id. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Runs a call that concerns the run and waits for its end. */
  private <T> T call(CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return Blocking.call(options, ErrorDetails.ofExecution(id), call);
  }

  /** Starts a call that concerns the run. */
  private <T> CompletableFuture<T> start(
      CallOptions options, Function<Call, CompletableFuture<T>> work) {
    Objects.requireNonNull(options, "options");
    return Call.start(
        connection,
        options,
        call -> {
          call.concerns(id);
          return work.apply(call);
        });
  }

  /** Waits with a timeout for each poll, which tests shorten. */
  CompletableFuture<O> awaitAsync(CallOptions options, Duration longestLook) {
    return start(options, call -> await(call, longestLook));
  }

  /** Polls the run until it ends or pauses. */
  CompletableFuture<O> await(Call call) {
    return await(call, LONGEST_LOOK);
  }

  private CompletableFuture<O> await(Call call, Duration longestLook) {
    call.awaits(id, startKey, longestLook);
    CompletableFuture<O> result = new CompletableFuture<>();
    lookUntilEnd(call, FIRST_PAUSE, result);
    return result;
  }

  /** Returns the exception for a run that waits for a decision. */
  FlowPausedException paused(Optional<String> pauseId, ErrorDetails details) {
    String message = "execution " + id + " is paused and waits for a decision";
    return pauseId
        .map(pause -> new FlowPausedException(message, details, pause))
        .orElseGet(() -> new FlowPausedException(message, details));
  }

  /** Decodes the output. */
  O read(Optional<String> json, Received response) {
    if (json.isEmpty()) {
      throw Failures.invalidResponse(response, "output is missing");
    }
    return NodeEndpoint.read(output, json.get(), response);
  }

  private void lookUntilEnd(Call call, Duration delay, CompletableFuture<O> result) {
    lookAt(call)
        .thenCompose(response -> outcome(call, response))
        .whenComplete(
            (outcome, failure) -> {
              Throwable cause = Call.causeOf(failure);
              if (failure == null && outcome.isEmpty()) {
                lookAgain(call, delay, pause(delay), result);
              } else if (isOfOutage(call, cause)) {
                lookAgain(call, delay, pauseAfter((SvcException) cause, call, delay), result);
              } else {
                Call.settle(result, failure == null ? outcome.get() : null, failure);
              }
            });
  }

  /** Returns the output of a run that has ended, or empty if it has not. */
  private CompletableFuture<Optional<O>> outcome(Call call, Received response) {
    ExecutionRecord record = ExecutionRecord.of(response);
    if (record.hasEnded()) {
      return end(call, record).thenApply(Optional::of);
    }
    if (record.pauseId().isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    ErrorDetails details = response.details().executionId(id).build();
    return CompletableFuture.failedFuture(paused(record.pauseId(), details));
  }

  /**
   * Reports whether to poll again after a failure: the run continues during an outage of the
   * service.
   */
  private static boolean isOfOutage(Call call, Throwable cause) {
    return call.settings().maxRetries() > 0
        && cause instanceof SvcException known
        && RetryPolicy.mayPass(known);
  }

  /** Returns the time before the next poll, which is at most the delay. */
  private static Duration pause(Duration delay) {
    long half = delay.toNanos() / 2;
    return Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half));
  }

  /**
   * Returns the time before the next poll after a failed one, which is at least what the service
   * asks for.
   */
  private static Duration pauseAfter(SvcException failure, Call call, Duration delay) {
    Duration usual = pause(delay);
    Duration asked = failure.retryAfter().orElse(Duration.ZERO);
    Duration pause =
        asked.compareTo(usual) < 0
            ? usual
            : RetryPolicy.spread(asked, failure, call.settings(), call.timeLeft());
    call.log(Level.INFO, "is retried in " + pause.toMillis() + " ms: " + failure.getMessage());
    return pause;
  }

  private void lookAgain(Call call, Duration delay, Duration pause, CompletableFuture<O> result) {
    Duration longer = delay.multipliedBy(3).dividedBy(2);
    Duration next = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    call.sleep(pause)
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                lookUntilEnd(call, next, result);
              } else {
                Call.settle(result, null, failure);
              }
            });
  }

  private CompletableFuture<ExecutionRecord> look(Call call) {
    return lookAt(call).thenApply(ExecutionRecord::of);
  }

  private CompletableFuture<Received> lookAt(Call call) {
    return Exchange.get(call, EXECUTIONS_PATH + id);
  }

  /** Reads the result of an ended run from its final event. */
  private CompletableFuture<O> end(Call call, ExecutionRecord record) {
    return readPages(call, ENDS, this::endIn);
  }

  /** Returns the result if a page contains the final event. */
  private Optional<O> endIn(EventPage page) {
    for (ExecutionEvent event : page.items()) {
      if (event.type().equals(ExecutionEvent.Type.FLOW_COMPLETED)) {
        return Optional.of(read(event.output().map(Object::toString), page.response()));
      }
      if (event.type().equals(ExecutionEvent.Type.FLOW_FAILED)) {
        throw Failures.flowFailed(event.errorMessage(), id, page.response());
      }
    }
    if (page.nextCursor().isEmpty()) {
      throw new InvalidResponseException(
          "the events of execution "
              + id
              + " have no final event"
              + Failures.origin("", Optional.empty(), page.response().raw().requestId()),
          page.response().details().executionId(id).build());
    }
    return Optional.empty();
  }

  /** Reads pages until one of them yields the result. */
  private <T> CompletableFuture<T> readPages(
      Call call, EventFilter filter, Function<EventPage, Optional<T>> taker) {
    CompletableFuture<T> result = new CompletableFuture<>();
    readPages(call, filter, taker, Optional.empty(), result);
    return result;
  }

  /**
   * Reads pages until one of them yields the result. Pages that are available at once are read in a
   * loop, so that many pages do not need a deep stack.
   */
  private <T> void readPages(
      Call call,
      EventFilter filter,
      Function<EventPage, Optional<T>> taker,
      Optional<String> from,
      CompletableFuture<T> result) {
    Optional<String> cursor = from;
    while (!result.isDone()) {
      CompletableFuture<EventPage> coming = page(call, filter, cursor);
      if (!coming.isDone()) {
        coming.whenCompleteAsync(
            (page, failure) -> {
              if (failure != null) {
                Call.settle(result, null, failure);
              } else if (!takeFrom(page, taker, result)) {
                readPages(call, filter, taker, page.nextCursor(), result);
              }
            },
            call.executor());
        return;
      }
      try {
        EventPage page = coming.join();
        if (takeFrom(page, taker, result)) {
          return;
        }
        cursor = page.nextCursor();
      } catch (CompletionException | CancellationException failure) {
        Call.settle(result, null, failure);
      }
    }
  }

  /** Completes the result if a page yields it. */
  private static <T> boolean takeFrom(
      EventPage page, Function<EventPage, Optional<T>> taker, CompletableFuture<T> result) {
    try {
      taker.apply(page).ifPresent(result::complete);
    } catch (SvcException failure) {
      result.completeExceptionally(failure);
    }
    return result.isDone();
  }

  private CompletableFuture<EventPage> page(
      Call call, EventFilter filter, Optional<String> cursor) {
    return Exchange.get(call, EXECUTIONS_PATH + id + "/events?" + filter.query(cursor))
        .thenApply(response -> EventPage.of(response, cursor));
  }

  private Follower follower(CallOptions options) {
    return follower(options, LONGEST_LOOK, Follower.LONGEST_OPENING, Follower.SOCKET_PAUSE);
  }

  /** Returns a follower with custom limits, which tests shorten. */
  Follower follower(
      CallOptions options, Duration longestLook, Duration longestOpening, Duration socketPause) {
    Objects.requireNonNull(options, "options");
    return new Follower(
        connection,
        options,
        id,
        (own, cursor) -> start(own, call -> page(call, LARGE_PAGES, cursor)),
        own -> start(own, this::look),
        longestLook,
        longestOpening,
        socketPause);
  }

  private CompletableFuture<List<ExecutionEvent>> collect(Call call, EventFilter filter) {
    List<ExecutionEvent> collected = new ArrayList<>();
    return readPages(
        call,
        filter,
        page -> {
          collected.addAll(page.items());
          return page.nextCursor().isEmpty()
              ? Optional.of(List.copyOf(collected))
              : Optional.empty();
        });
  }
}
