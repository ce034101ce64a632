package svc.runtime.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.InvalidAnswerException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.WaitTimedOutException;
import svc.runtime.json.Codec;

/**
 * A run of a flow: made by starting it, or from its id in any later program.
 *
 * @param <O> the type of its output
 */
public final class Execution<O> {
  private static final String EXECUTIONS_PATH = "/invocations/v1/executions/";
  private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{32}");
  private static final Duration FIRST_LOOK = Duration.ofMillis(100);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);
  private static final EventFilter ENDS = EventFilter.ofTypes("FLOW_COMPLETED", "FLOW_FAILED");

  private final Connection connection;
  private final String id;
  private final Codec<O> output;

  Execution(Connection connection, String id, Codec<O> output) {
    this.connection = connection;
    this.id = id;
    this.output = output;
  }

  /**
   * Gives the id that finds the run again.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Reads the record: how far the run is.
   *
   * @return the record
   */
  public ExecutionRecord get() {
    return get(CallOptions.none());
  }

  /**
   * Reads the record: how far the run is.
   *
   * @param options what holds for this call
   * @return the record
   */
  public ExecutionRecord get(CallOptions options) {
    return Blocking.call(options, this::getAsync);
  }

  /**
   * Reads the record: how far the run is.
   *
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> getAsync() {
    return getAsync(CallOptions.none());
  }

  /**
   * Reads the record: how far the run is.
   *
   * @param options what holds for this call
   * @return the record
   */
  public CompletableFuture<ExecutionRecord> getAsync(CallOptions options) {
    return start(options, this::look);
  }

  /**
   * Waits for the end of the run.
   *
   * @return the output
   * @throws FlowFailedException when the run failed or was cancelled
   * @throws WaitTimedOutException when it has not ended in time; it runs on then
   */
  public O await() {
    return await(CallOptions.none());
  }

  /**
   * Waits for the end of the run.
   *
   * @param options what holds for this call
   * @return the output
   * @throws FlowFailedException when the run failed or was cancelled
   * @throws WaitTimedOutException when it has not ended in time; it runs on then
   */
  public O await(CallOptions options) {
    return Blocking.call(options, this::awaitAsync);
  }

  /**
   * Waits for the end of the run. Cancelling the future ends the wait, not the run.
   *
   * @return the output
   */
  public CompletableFuture<O> awaitAsync() {
    return awaitAsync(CallOptions.none());
  }

  /**
   * Waits for the end of the run. Cancelling the future ends the wait, not the run.
   *
   * @param options what holds for this call
   * @return the output
   */
  public CompletableFuture<O> awaitAsync(CallOptions options) {
    return start(options, this::await);
  }

  /**
   * Gives the events of the run so far, oldest first. A page is read when it is needed.
   *
   * @return the events
   */
  public Stream<ExecutionEvent> events() {
    return events(EventFilter.ALL, CallOptions.none());
  }

  /**
   * Gives events of the run so far, oldest first. A page is read when it is needed.
   *
   * @param filter which events
   * @param options what holds for the call of each page
   * @return the events
   */
  public Stream<ExecutionEvent> events(EventFilter filter, CallOptions options) {
    EventPages pages =
        new EventPages(
            cursor ->
                Blocking.call(options, own -> start(own, call -> page(call, filter, cursor))));
    int kind = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages, kind), false);
  }

  /**
   * Reads all events of the run so far, oldest first.
   *
   * @return the events
   */
  public CompletableFuture<List<ExecutionEvent>> eventsAsync() {
    return eventsAsync(EventFilter.ALL, CallOptions.none());
  }

  /**
   * Reads events of the run so far, oldest first.
   *
   * @param filter which events
   * @param options what holds for the call, all of its pages together
   * @return the events
   */
  public CompletableFuture<List<ExecutionEvent>> eventsAsync(
      EventFilter filter, CallOptions options) {
    return start(options, call -> collect(call, filter, Optional.empty(), new ArrayList<>()));
  }

  @Override
  public String toString() {
    return "execution " + id;
  }

  /** Tells whether a text is made as the ids of executions are. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Begins a call; what cannot be an id is not sent. */
  private <T> CompletableFuture<T> start(
      CallOptions options, Function<Call, CompletableFuture<T>> work) {
    Objects.requireNonNull(options, "options");
    if (!isId(id)) {
      return CompletableFuture.failedFuture(
          new InvalidMessageException("the id of an execution is made of 32 hexadecimal digits"));
    }
    return Call.start(connection, options, work);
  }

  /** Looks at the run until it has ended. */
  CompletableFuture<O> await(Call call) {
    call.awaits(id);
    CompletableFuture<O> result = new CompletableFuture<>();
    lookUntilEnd(call, FIRST_LOOK, result);
    return result;
  }

  /** Reads the typed output. */
  O read(Optional<String> json, RawAnswer answer) {
    if (json.isEmpty()) {
      throw Failures.invalidAnswer(answer, "the output did not come as JSON", null);
    }
    return NodeEndpoint.read(output, json.get(), answer);
  }

  private void lookUntilEnd(Call call, Duration delay, CompletableFuture<O> result) {
    look(call)
        .whenComplete(
            (record, failure) -> {
              if (failure != null) {
                Call.settle(result, null, failure);
              } else if (record.hasEnded()) {
                end(call, record).whenComplete((value, wrong) -> Call.settle(result, value, wrong));
              } else {
                lookAgain(call, delay, result);
              }
            });
  }

  private void lookAgain(Call call, Duration delay, CompletableFuture<O> result) {
    long half = delay.toNanos() / 2;
    Duration wait = Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half));
    Duration longer = delay.multipliedBy(3).dividedBy(2);
    Duration next = longer.compareTo(LONGEST_LOOK) < 0 ? longer : LONGEST_LOOK;
    call.sleep(wait)
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
    return Exchange.get(call, EXECUTIONS_PATH + id).thenApply(ExecutionRecord::of);
  }

  /** Gives what a run that has ended came to: its last event says it. */
  private CompletableFuture<O> end(Call call, ExecutionRecord record) {
    if (record.status().equals("FORKED")) {
      return CompletableFuture.failedFuture(
          new FlowFailedException("execution " + id + " was forked", ErrorDetails.ofExecution(id)));
    }
    return endFrom(call, Optional.empty());
  }

  private CompletableFuture<O> endFrom(Call call, Optional<String> cursor) {
    return page(call, ENDS, cursor)
        .thenCompose(
            page -> {
              for (ExecutionEvent event : page.events()) {
                if (event.type().equals("FLOW_COMPLETED")) {
                  Optional<String> json = event.output().map(Object::toString);
                  return CompletableFuture.completedFuture(read(json, page.answer()));
                }
                if (event.type().equals("FLOW_FAILED")) {
                  throw Failures.flowFailed(event.fields().text("error"), id, page.answer());
                }
              }
              if (page.nextCursor().isEmpty()) {
                throw new InvalidAnswerException(
                    "the history of execution " + id + " does not tell its end",
                    ErrorDetails.ofExecution(id),
                    null);
              }
              return endFrom(call, page.nextCursor());
            });
  }

  private CompletableFuture<EventPage> page(
      Call call, EventFilter filter, Optional<String> cursor) {
    return Exchange.get(call, EXECUTIONS_PATH + id + "/events?" + filter.query(cursor))
        .thenApply(EventPage::of);
  }

  private CompletableFuture<List<ExecutionEvent>> collect(
      Call call, EventFilter filter, Optional<String> cursor, List<ExecutionEvent> collected) {
    return page(call, filter, cursor)
        .thenCompose(
            page -> {
              collected.addAll(page.events());
              return page.nextCursor().isEmpty()
                  ? CompletableFuture.completedFuture(List.copyOf(collected))
                  : collect(call, filter, page.nextCursor(), collected);
            });
  }
}
