import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ResourceBundle;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import svc.acme.conformance.ConformanceClient;
import svc.acme.conformance.Everything;
import svc.acme.conformance.Kinds;
import svc.acme.conformance.LogChunk;
import svc.acme.conformance.LogEntry;
import svc.acme.conformance.Prompt;
import svc.acme.conformance.Token;
import svc.acme.conformance.core.AsyncFrameStream;
import svc.acme.conformance.core.CallOptions;
import svc.acme.conformance.core.ClientOptions;
import svc.acme.conformance.core.EventFilter;
import svc.acme.conformance.core.EventStream;
import svc.acme.conformance.core.Execution;
import svc.acme.conformance.core.ExecutionEvent;
import svc.acme.conformance.core.ExecutionRecord;
import svc.acme.conformance.core.Fork;
import svc.acme.conformance.core.FrameStream;
import svc.acme.conformance.core.LiveSession;
import svc.acme.conformance.core.Pause;
import svc.acme.conformance.core.PauseDecision;
import svc.acme.conformance.core.PauseFilter;
import svc.acme.conformance.core.PauseStatus;
import svc.acme.conformance.core.ResumedPause;
import svc.acme.conformance.core.ServiceResponse;
import svc.acme.conformance.core.SplitStream;
import svc.acme.conformance.core.SplitUpload;
import svc.acme.conformance.errors.CallCancelledException;
import svc.acme.conformance.errors.FlowPausedException;
import svc.acme.conformance.errors.SvcException;
import svc.acme.conformance.json.Bytes;
import svc.acme.conformance.json.JsonArray;
import svc.acme.conformance.json.JsonNumber;
import svc.acme.conformance.json.JsonObject;
import svc.acme.conformance.json.JsonString;
import svc.acme.conformance.json.JsonValue;
import svc.acme.conformance.json.ProtoJson;

/** The Java SDK's driver: see test/conformance/README.md. Its argument is the flavour. */
public final class Driver {
  private static final Map<String, String> CLASSES = new LinkedHashMap<>();

  static {
    String[] names = {
      "AppKeyGraphDenied",
      "BadRequest",
      "Configuration",
      "Connection",
      "FlowFailed",
      "FlowPaused",
      "Forbidden",
      "IdempotencyMismatch",
      "NodeFailed",
      "NotFound",
      "PayloadTooLarge",
      "QuotaExceeded",
      "RateLimited",
      "Server",
      "Status",
      "StreamInterrupted",
      "TenantSuspended",
      "Unauthorized",
      "UpstreamUnavailable",
      "WaitTimedOut"
    };
    for (String name : names) {
      CLASSES.put(
          name + "Exception", name.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }
    CLASSES.put("CallCancelledException", "cancelled");
    CLASSES.put("CallTimedOutException", "timed-out");
    CLASSES.put("InterruptedResponseException", "interrupted-response");
    CLASSES.put("InvalidMessageException", "value");
    CLASSES.put("InvalidResponseException", "invalid-response");
  }

  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final Timer TIMER = new Timer(true);

  private final boolean isAsync;
  private final List<String> log = new ArrayList<>();
  private final Map<String, Execution<?>> executions = new LinkedHashMap<>();
  private final AtomicReference<Object> created = new AtomicReference<>();
  private String pauseId;
  private String pausedRun;

  private Driver(boolean isAsync) {
    this.isAsync = isAsync;
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    boolean isAsync = arguments[0].equals("async");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      out.print(new Driver(isAsync).respond(JsonObject.parse(line)) + "\n");
      out.flush();
    }
  }

  private JsonObject respond(JsonObject request) {
    List<JsonValue> results = new ArrayList<>();
    try {
      ConformanceClient client =
          ConformanceClient.create(clientOptions((JsonObject) request.get("client").orElseThrow()));
      log.add(client.toString());
      for (JsonValue step : ((JsonArray) request.get("steps").orElseThrow()).items()) {
        JsonObject result = perform(client, (JsonObject) step);
        results.add(result);
        if (result.get("error").isPresent() && ((JsonObject) step).get("goesOn").isEmpty()) {
          break;
        }
        if (result.get("error").orElse(null) instanceof JsonObject error) {
          pauseId = error.text("pauseId").orElse(null);
          pausedRun = error.text("executionId").orElse(null);
        }
      }
    } catch (SvcException failure) {
      results.add(new JsonObject(Map.of("error", describe(failure))));
    }
    return new JsonObject(
        Map.of(
            "id", request.get("id").orElseThrow(),
            "results", new JsonArray(results),
            "log", new JsonArray(log.stream().map(JsonValue::of).toList())));
  }

  private JsonObject perform(ConformanceClient client, JsonObject step) {
    Map<String, JsonValue> result = new LinkedHashMap<>();
    AtomicReference<ServiceResponse> answer = new AtomicReference<>();
    double cancelAfter = number(step, "cancelAfterMs", -1);
    TimerTask cancellation = null;
    AtomicReference<CompletableFuture<?>> future = new AtomicReference<>();
    try {
      if (cancelAfter == 0) {
        Thread.currentThread().interrupt();
      } else if (cancelAfter > 0) {
        cancellation = cancellation(Thread.currentThread(), future);
        TIMER.schedule(cancellation, (long) cancelAfter);
      }
      CallOptions options = callOptions((JsonObject) step.get("options").orElseThrow(), answer);
      Member member = member(client, step.text("alias").orElseThrow());
      String value = member.perform(step, options, future, result);
      if (value != null) {
        result.put("valueText", JsonValue.of(value));
      }
      if (step.get("raw").isPresent() && !result.containsKey("answer")) {
        result.put("answer", rawAnswer(answer.get()));
      }
    } catch (CancellationException cancelled) {
      result.put("error", describe(new CallCancelledException("cancelled", cancelled)));
    } catch (SvcException failure) {
      result.put("error", describe(failure));
    } finally {
      if (cancellation != null) {
        cancellation.cancel();
      }
      Thread.interrupted();
    }
    return new JsonObject(result);
  }

  private TimerTask cancellation(Thread thread, AtomicReference<CompletableFuture<?>> future) {
    return new TimerTask() {
      @Override
      public void run() {
        if (isAsync) {
          future.get().cancel(true);
        } else {
          thread.interrupt();
        }
      }
    };
  }

  private interface Member {
    /** Returns the value of the step, unless it is in the result already. */
    String perform(
        JsonObject step,
        CallOptions options,
        AtomicReference<CompletableFuture<?>> future,
        Map<String, JsonValue> result);
  }

  private Member member(ConformanceClient client, String alias) {
    return switch (alias) {
      case "echo" ->
          node(Everything::fromJson, Everything::toJson, client::echo, client::echoAsync);
      case "echo-kinds" ->
          node(Kinds::fromJson, Kinds::toJson, client::echoKinds, client::echoKindsAsync);
      case "echo-free" ->
          node(
              ProtoJson.STRUCT::fromJson,
              ProtoJson.STRUCT::toJson,
              client::echoFree,
              client::echoFreeAsync);
      case "class" ->
          node(Everything::fromJson, Everything::toJson, client::classCall, client::classCallAsync);
      case "größe" ->
          node(Everything::fromJson, Everything::toJson, client::grosse, client::grosseAsync);
      case "echo-twice" ->
          flow(
              client,
              alias,
              Everything::fromJson,
              Everything::toJson,
              node(
                  Everything::fromJson,
                  Everything::toJson,
                  client::echoTwice,
                  client::echoTwiceAsync),
              client::startEchoTwice,
              client::startEchoTwiceAsync,
              client::echoTwiceExecution,
              options -> {
                client.warmEchoTwice(options);
                return null;
              },
              client::warmEchoTwiceAsync);
      case "return" ->
          flow(
              client,
              alias,
              Kinds::fromJson,
              Kinds::toJson,
              node(Kinds::fromJson, Kinds::toJson, client::returnCall, client::returnCallAsync),
              client::startReturn,
              client::startReturnAsync,
              client::returnExecution,
              options -> {
                client.warmReturn(options);
                return null;
              },
              client::warmReturnAsync);
      case "any-flow" ->
          flow(
              client,
              alias,
              JsonValue::parse,
              JsonValue::toString,
              null,
              null,
              null,
              client::execution,
              null,
              null);
      case "write-text" ->
          new Streamed<>(
              isAsync,
              created,
              null,
              Prompt::fromJson,
              Token::toJson,
              client::writeText,
              client::writeTextAsync,
              null,
              null);
      case "continue-text" ->
          new Streamed<>(
              isAsync,
              created,
              new Splits<>(
                  client::createContinueTextStream,
                  client::createContinueTextStreamAsync,
                  client::continueTextStream,
                  client::openContinueText,
                  client::openContinueTextAsync),
              Prompt::fromJson,
              Token::toJson,
              client::continueText,
              client::continueTextAsync,
              client::uploadContinueText,
              client::uploadContinueTextAsync);
      case "parse-logs" ->
          new Streamed<>(
              isAsync,
              created,
              new Splits<>(
                  client::createParseLogsStream,
                  client::createParseLogsStreamAsync,
                  client::parseLogsStream,
                  client::openParseLogs,
                  client::openParseLogsAsync),
              LogChunk::fromJson,
              LogEntry::toJson,
              client::parseLogs,
              client::parseLogsAsync,
              client::uploadParseLogs,
              client::uploadParseLogsAsync);
      default -> throw new IllegalArgumentException("there is no member " + alias);
    };
  }

  /** How split streams of a node are created and found, and live sessions opened. */
  private record Splits<I, O>(
      Function<CallOptions, SplitStream<I, O>> create,
      Function<CallOptions, CompletableFuture<SplitStream<I, O>>> createAsync,
      Function<String, SplitStream<I, O>> find,
      Function<CallOptions, LiveSession<I, O>> open,
      Function<CallOptions, CompletableFuture<LiveSession<I, O>>> openAsync) {}

  /** A member that streams. */
  private record Streamed<I, O>(
      boolean isAsync,
      AtomicReference<Object> created,
      Splits<I, O> splits,
      Function<String, I> reader,
      Function<O, String> printer,
      BiFunction<I, CallOptions, FrameStream<O>> stream,
      BiFunction<I, CallOptions, AsyncFrameStream<O>> streamAsync,
      BiFunction<Iterable<I>, CallOptions, FrameStream<O>> upload,
      BiFunction<Iterable<I>, CallOptions, AsyncFrameStream<O>> uploadAsync)
      implements Member {
    /** Adds what was given to the result of the step, also if the stream fails. */
    @Override
    public String perform(
        JsonObject step,
        CallOptions options,
        AtomicReference<CompletableFuture<?>> future,
        Map<String, JsonValue> result) {
      switch (string(step, "do")) {
        case "create":
          SplitStream<I, O> split =
              isAsync
                  ? join(splits.createAsync.apply(options), future)
                  : splits.create.apply(options);
          created.set(split);
          return new JsonObject(Map.of("streamId", JsonValue.of(split.id()))).toString();
        case "upload":
          SplitUpload uploaded =
              isAsync
                  ? join(found(step).uploadAsync(inputs(step), options), future)
                  : found(step).upload(inputs(step), options);
          return new JsonObject(
                  Map.of(
                      "executionId", JsonValue.of(uploaded.executionId()),
                      "inputFrames", JsonValue.of(uploaded.inputFrames())))
              .toString();
        default:
          return read(step, options, future, result);
      }
    }

    /** Returns the split stream of a step. */
    @SuppressWarnings("unchecked")
    private SplitStream<I, O> found(JsonObject step) {
      return step.text("streamId")
          .map(splits.find)
          .orElseGet(() -> (SplitStream<I, O>) created.get());
    }

    private String read(
        JsonObject step,
        CallOptions options,
        AtomicReference<CompletableFuture<?>> future,
        Map<String, JsonValue> result) {
      List<String> given = Collections.synchronizedList(new ArrayList<>());
      int takes = (int) number(step, "takes", Integer.MAX_VALUE);
      try {
        if (string(step, "do").equals("live")) {
          converse(step, options, future, result, given, takes);
        } else if (isAsync) {
          takeAsync(step, options, future, result, given, takes);
        } else {
          take(step, options, result, given, takes);
        }
      } finally {
        result.put("valueText", JsonValue.of("[" + String.join(",", given) + "]"));
      }
      return null;
    }

    private void take(
        JsonObject step,
        CallOptions options,
        Map<String, JsonValue> result,
        List<String> given,
        int takes) {
      FrameStream<O> outputs =
          string(step, "do").equals("output")
              ? step.text("after")
                  .map(after -> found(step).outputAfter(after, options))
                  .orElseGet(() -> found(step).output(options))
              : isUpload(step)
                  ? upload.apply(inputs(step), options)
                  : stream.apply(reader.apply(string(step, "inputText")), options);
      try (outputs) {
        if (takes > 0) {
          for (O output : outputs) {
            given.add(printer.apply(output));
            if (given.size() == takes) {
              break;
            }
          }
        }
        if (step.get("raw").isPresent()) {
          result.put("answer", rawAnswer(outputs.response()));
        }
      } finally {
        outputs.executionId().ifPresent(id -> result.put("executionId", JsonValue.of(id)));
      }
    }

    private void takeAsync(
        JsonObject step,
        CallOptions options,
        AtomicReference<CompletableFuture<?>> future,
        Map<String, JsonValue> result,
        List<String> given,
        int takes) {
      AsyncFrameStream<O> outputs =
          string(step, "do").equals("output")
              ? step.text("after")
                  .map(after -> found(step).outputAfterAsync(after, options))
                  .orElseGet(() -> found(step).outputAsync(options))
              : isUpload(step)
                  ? uploadAsync.apply(inputs(step), options)
                  : streamAsync.apply(reader.apply(string(step, "inputText")), options);
      try (outputs) {
        if (takes > 0) {
          Taking<O> taking = new Taking<>(takes, output -> given.add(printer.apply(output)));
          outputs.subscribe(taking);
          join(taking.end, future);
        }
        if (step.get("raw").isPresent()) {
          result.put("answer", rawAnswer(join(outputs.response(), future)));
        }
      } finally {
        outputs.executionId().ifPresent(id -> result.put("executionId", JsonValue.of(id)));
      }
    }

    /** Limits by the names that the service gives them. */
    private static JsonObject limitsOf(LiveSession.Limits limits) {
      Map<String, JsonValue> fields = new LinkedHashMap<>();
      putNumber(fields, "input_frame_bytes", limits.inputMessageBytes());
      putNumber(fields, "input_bytes", limits.inputBytes());
      putNumber(fields, "input_frames", limits.inputMessages());
      putNumber(fields, "output_bytes", limits.outputBytes());
      limits.duration().ifPresent(it -> fields.put("session_seconds", JsonValue.of(it.toSeconds())));
      limits.stall().ifPresent(it -> fields.put("stall_seconds", JsonValue.of(it.toSeconds())));
      return new JsonObject(fields);
    }

    private static void putNumber(Map<String, JsonValue> fields, String name, OptionalLong number) {
      number.ifPresent(it -> fields.put(name, JsonValue.of(it)));
    }

    private void converse(
        JsonObject step,
        CallOptions options,
        AtomicReference<CompletableFuture<?>> future,
        Map<String, JsonValue> result,
        List<String> given,
        int takes) {
      LiveSession<I, O> opened =
          isAsync ? join(splits.openAsync.apply(options), future) : splits.open.apply(options);
      try (LiveSession<I, O> session = opened) {
        session.executionId().ifPresent(id -> result.put("executionId", JsonValue.of(id)));
        result.put("limits", limitsOf(session.limits()));
        Iterator<O> outputs = isAsync ? new Pulling<>(session, future) : session.iterator();
        boolean inTurn = step.get("inTurn").isPresent();
        for (Iterator<I> messages = inputs(step).iterator(); messages.hasNext(); ) {
          if (isAsync) {
            join(session.sendAsync(messages.next()), future);
          } else {
            session.send(messages.next());
          }
          if (inTurn && messages.hasNext()) {
            given.add(printer.apply(outputs.next()));
          }
        }
        while (given.size() < takes && outputs.hasNext()) {
          given.add(printer.apply(outputs.next()));
        }
      }
    }

    private static boolean isUpload(JsonObject step) {
      return step.get("inputTexts").isPresent();
    }

    /** Reads each input when it is asked for, and pauses before all but the first. */
    private Iterable<I> inputs(JsonObject step) {
      List<JsonValue> texts = ((JsonArray) step.get("inputTexts").orElseThrow()).items();
      return () ->
          IntStream.range(0, texts.size())
              .mapToObj(
                  index -> {
                    if (index > 0) {
                      pause((long) number(step, "inputPauseMs", 0));
                    }
                    return reader.apply(((JsonString) texts.get(index)).value());
                  })
              .iterator();
    }

    private static void pause(long millis) {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException interruption) {
        throw new IllegalStateException(interruption);
      }
    }
  }

  /** Requests each message from a publisher when it is asked for. */
  private static final class Pulling<T> implements Iterator<T>, Flow.Subscriber<T> {
    private final AtomicReference<CompletableFuture<?>> future;
    private final CompletableFuture<Optional<T>> end = new CompletableFuture<>();
    private volatile CompletableFuture<Optional<T>> wanted = new CompletableFuture<>();
    private Flow.Subscription subscription;
    private Optional<T> next = Optional.empty();

    Pulling(Flow.Publisher<T> publisher, AtomicReference<CompletableFuture<?>> future) {
      this.future = future;
      publisher.subscribe(this);
    }

    @Override
    public boolean hasNext() {
      if (next.isEmpty()) {
        CompletableFuture<Optional<T>> asked = new CompletableFuture<>();
        asked.whenComplete(
            (message, failure) -> {
              if (failure instanceof CancellationException) {
                subscription.cancel();
              }
            });
        wanted = asked;
        end.whenComplete((nothing, failure) -> settle(asked, nothing, failure));
        subscription.request(1);
        next = join(asked, future);
      }
      return next.isPresent();
    }

    private static <T> void settle(CompletableFuture<T> future, T value, Throwable failure) {
      if (failure == null) {
        future.complete(value);
      } else {
        future.completeExceptionally(failure);
      }
    }

    @Override
    public T next() {
      T message = hasNext() ? next.get() : null;
      next = Optional.empty();
      return message;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
    }

    @Override
    public void onNext(T message) {
      wanted.complete(Optional.of(message));
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(Optional.empty());
    }
  }

  /** Requests messages one by one. Cancelling {@code end} cancels the subscription. */
  private static final class Taking<T> implements Flow.Subscriber<T> {
    final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Consumer<T> consumer;
    private int left;
    private Flow.Subscription subscription;

    Taking(int left, Consumer<T> consumer) {
      this.left = left;
      this.consumer = consumer;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      end.whenComplete((nothing, failure) -> begun.cancel());
      begun.request(1);
    }

    @Override
    public void onNext(T message) {
      consumer.accept(message);
      if (--left == 0) {
        end.complete(null);
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  private <T> Member node(
      Function<String, T> reader,
      Function<T, String> printer,
      BiFunction<T, CallOptions, T> call,
      BiFunction<T, CallOptions, CompletableFuture<T>> callAsync) {
    return (step, options, future, result) -> {
      T input = reader.apply(string(step, "inputText"));
      T output =
          isAsync ? join(callAsync.apply(input, options), future) : call.apply(input, options);
      return printer.apply(output);
    };
  }

  private <T> Member flow(
      ConformanceClient client,
      String alias,
      Function<String, T> reader,
      Function<T, String> printer,
      Member run,
      BiFunction<T, CallOptions, Execution<T>> start,
      BiFunction<T, CallOptions, CompletableFuture<Execution<T>>> startAsync,
      Function<String, Execution<T>> find,
      Function<CallOptions, Void> warm,
      Function<CallOptions, CompletableFuture<Void>> warmAsync) {
    return (step, options, future, result) -> {
      String id = step.text("executionId").orElse(pausedRun);
      if (id != null) {
        executions.put(alias, find.apply(id));
      }
      @SuppressWarnings("unchecked")
      Execution<T> execution = (Execution<T>) executions.get(alias);
      switch (string(step, "do")) {
        case "call":
          return run.perform(step, options, future, result);
        case "start":
          T input = reader.apply(string(step, "inputText"));
          Execution<T> started =
              isAsync
                  ? join(startAsync.apply(input, options), future)
                  : start.apply(input, options);
          executions.put(alias, started);
          return new JsonObject(Map.of("executionId", JsonValue.of(started.id()))).toString();
        case "get":
          return print(
              isAsync ? join(execution.getAsync(options), future) : execution.get(options));
        case "cancel":
          return print(
              isAsync ? join(execution.cancelAsync(options), future) : execution.cancel(options));
        case "pauses":
          return print(
              isAsync ? join(execution.pausesAsync(options), future) : execution.pauses(options));
        case "inbox":
          PauseFilter pauses = pauseFilter(step);
          return print(
              isAsync
                  ? join(client.listPausesAsync(pauses, options), future)
                  : client.listPauses(pauses, options).toList());
        case "resume":
          String pause =
              step.get("pauseId").orElse(null) instanceof JsonString own ? own.value() : pauseId;
          PauseDecision decision = decision(step, reader, printer);
          return print(
              isAsync
                  ? join(execution.resumeAsync(pause, decision, options), future)
                  : execution.resume(pause, decision, options));
        case "fork":
          Fork fork = step.text("checkpointId").map(Fork::at).orElse(Fork.latest());
          Fork changed = fork.withInput(decision(step, reader, printer));
          Execution<T> forked =
              isAsync
                  ? join(execution.forkAsync(changed, options), future)
                  : execution.fork(changed, options);
          executions.put(alias, forked);
          return new JsonObject(Map.of("executionId", JsonValue.of(forked.id()))).toString();
        case "wait":
          return printer.apply(
              isAsync ? join(execution.awaitAsync(options), future) : execution.await(options));
        case "events":
          EventFilter filter = filter(step);
          List<ExecutionEvent> events =
              isAsync
                  ? join(execution.eventsAsync(filter, options), future)
                  : execution.events(filter, options).toList();
          return new JsonArray(events.stream().<JsonValue>map(Driver::print).toList()).toString();
        case "follow":
          follow(execution, step, options, future, result);
          return null;
        case "warm":
          if (isAsync) {
            join(warmAsync.apply(options), future);
          } else {
            warm.apply(options);
          }
          return null;
        default:
          throw new IllegalArgumentException("this driver cannot do " + string(step, "do"));
      }
    };
  }

  private void follow(
      Execution<?> execution,
      JsonObject step,
      CallOptions options,
      AtomicReference<CompletableFuture<?>> future,
      Map<String, JsonValue> result) {
    List<JsonValue> given = Collections.synchronizedList(new ArrayList<>());
    int takes = (int) number(step, "takes", Integer.MAX_VALUE);
    try {
      if (isAsync) {
        Taking<ExecutionEvent> taking = new Taking<>(takes, event -> given.add(print(event)));
        execution.followAsync(options).subscribe(taking);
        join(taking.end, future);
      } else {
        try (EventStream events = execution.follow(options)) {
          for (ExecutionEvent event : events) {
            given.add(print(event));
            if (given.size() == takes) {
              break;
            }
          }
        }
      }
    } finally {
      result.put("valueText", JsonValue.of(new JsonArray(List.copyOf(given)).toString()));
    }
  }

  private static <T> T join(
      CompletableFuture<T> call, AtomicReference<CompletableFuture<?>> future) {
    future.set(call);
    try {
      return call.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof SvcException cause) {
        throw cause;
      }
      throw failure;
    }
  }

  private static <T> PauseDecision decision(
      JsonObject step, Function<String, T> reader, Function<T, String> printer) {
    PauseDecision decision = PauseDecision.ofDefault();
    if (step.get("decisionText").isPresent()) {
      T message = reader.apply(string(step, "decisionText"));
      decision = PauseDecision.ofJson(printer.apply(message));
    } else if (step.get("decisionJsonText").isPresent()) {
      decision = PauseDecision.ofJson(string(step, "decisionJsonText"));
    } else if (step.get("decisionBytes").isPresent()) {
      decision = PauseDecision.ofBytes(Bytes.ofBase64(string(step, "decisionBytes")));
    }
    return step.text("resumedBy").map(decision::by).orElse(decision);
  }

  private static PauseFilter pauseFilter(JsonObject step) {
    PauseFilter filter = PauseFilter.ALL;
    if (step.get("statuses").orElse(null) instanceof JsonArray statuses) {
      filter =
          PauseFilter.ofStatuses(
              statuses.items().stream()
                  .map(each -> PauseStatus.valueOf(((JsonString) each).value()))
                  .toArray(PauseStatus[]::new));
    }
    return step.get("pageSize").isPresent()
        ? filter.withPageSize((int) number(step, "pageSize", 0))
        : filter;
  }

  private static String print(List<Pause> pauses) {
    return new JsonArray(pauses.stream().<JsonValue>map(Driver::print).toList()).toString();
  }

  private static JsonObject print(Pause pause) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    fields.put("id", JsonValue.of(pause.id()));
    fields.put("executionId", JsonValue.of(pause.executionId()));
    pause.graphId().ifPresent(text -> fields.put("graphId", JsonValue.of(text)));
    pause.nodeName().ifPresent(text -> fields.put("nodeName", JsonValue.of(text)));
    fields.put("status", JsonValue.of(pause.statusAsString()));
    pause.question().ifPresent(json -> fields.put("question", json));
    pause.decisionType().ifPresent(text -> fields.put("decisionType", JsonValue.of(text)));
    pause.checkpointId().ifPresent(text -> fields.put("checkpointId", JsonValue.of(text)));
    put(fields, "createdAt", pause.createdAt());
    put(fields, "expiresAt", pause.expiresAt());
    pause.resumeUrl().ifPresent(text -> fields.put("resumeUrl", JsonValue.of(text)));
    put(fields, "resumedAt", pause.resumedAt());
    put(fields, "escalatedAt", pause.escalatedAt());
    pause.resumedBy().ifPresent(text -> fields.put("resumedBy", JsonValue.of(text)));
    pause.decision().ifPresent(json -> fields.put("decision", json));
    return new JsonObject(fields);
  }

  private static String print(ResumedPause resumed) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    fields.put("pauseId", JsonValue.of(resumed.pauseId()));
    fields.put("status", JsonValue.of(resumed.statusAsString()));
    put(fields, "resumedAt", resumed.resumedAt());
    resumed.resumedBy().ifPresent(text -> fields.put("resumedBy", JsonValue.of(text)));
    resumed.decision().ifPresent(json -> fields.put("decision", json));
    fields.put("alreadyResumed", JsonValue.of(resumed.alreadyResumed()));
    return new JsonObject(fields).toString();
  }

  /** Prints a time as the service does, in milliseconds. */
  private static void put(Map<String, JsonValue> fields, String name, Optional<Instant> time) {
    time.ifPresent(at -> fields.put(name, JsonValue.of(MILLISECONDS.format(at))));
  }

  private static EventFilter filter(JsonObject step) {
    EventFilter filter = EventFilter.ALL;
    if (step.get("types").orElse(null) instanceof JsonArray types) {
      filter =
          filter.withTypes(
              types.items().stream()
                  .map(each -> ((JsonString) each).value())
                  .toArray(String[]::new));
    }
    if (step.text("nodeName").isPresent()) {
      filter = filter.withNodeName(string(step, "nodeName"));
    }
    return step.get("pageSize").isPresent()
        ? filter.withPageSize((int) number(step, "pageSize", 0))
        : filter;
  }

  private static String print(ExecutionRecord record) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    fields.put("id", JsonValue.of(record.id()));
    fields.put("status", JsonValue.of(record.statusAsString()));
    record.graphId().ifPresent(text -> fields.put("graphId", JsonValue.of(text)));
    record
        .createdAt()
        .flatMap(time -> record.fields().text("created_at"))
        .ifPresent(text -> fields.put("createdAt", JsonValue.of(text)));
    record
        .updatedAt()
        .flatMap(time -> record.fields().text("updated_at"))
        .ifPresent(text -> fields.put("updatedAt", JsonValue.of(text)));
    record
        .completedAt()
        .flatMap(time -> record.fields().text("completed_at"))
        .ifPresent(text -> fields.put("completedAt", JsonValue.of(text)));
    record.pauseId().ifPresent(text -> fields.put("pauseId", JsonValue.of(text)));
    record
        .latestCheckpointId()
        .ifPresent(text -> fields.put("latestCheckpointId", JsonValue.of(text)));
    record.errorMessage().ifPresent(text -> fields.put("errorMessage", JsonValue.of(text)));
    record.failedNodeName().ifPresent(text -> fields.put("failedNodeName", JsonValue.of(text)));
    return new JsonObject(fields).toString();
  }

  private static JsonObject print(ExecutionEvent event) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    fields.put("type", JsonValue.of(event.type()));
    fields.put("ulid", JsonValue.of(event.ulid()));
    fields.put("timestampMs", JsonValue.of(event.time().toEpochMilli()));
    event.nodeName().ifPresent(text -> fields.put("nodeName", JsonValue.of(text)));
    event.input().ifPresent(json -> fields.put("input", json));
    event.output().ifPresent(json -> fields.put("output", json));
    event.errorMessage().ifPresent(text -> fields.put("errorMessage", JsonValue.of(text)));
    event.pauseId().ifPresent(text -> fields.put("pauseId", JsonValue.of(text)));
    return new JsonObject(fields);
  }

  private static JsonObject rawAnswer(ServiceResponse answer) {
    Map<String, JsonValue> headers = new LinkedHashMap<>();
    answer
        .headers()
        .map()
        .forEach(
            (name, values) ->
                headers.put(name.toLowerCase(Locale.ROOT), JsonValue.of(values.get(0))));
    return new JsonObject(
        Map.of(
            "status", JsonValue.of(answer.status()),
            "headers", new JsonObject(headers),
            "body", JsonValue.of(answer.body())));
  }

  private static JsonObject describe(SvcException failure) {
    Map<String, JsonValue> described = new LinkedHashMap<>();
    described.put(
        "class", JsonValue.of(CLASSES.getOrDefault(failure.getClass().getSimpleName(), "unknown")));
    StringBuilder printed = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      printed.append(each).append('\n');
    }
    described.put("message", JsonValue.of(failure.getMessage()));
    described.put("printed", JsonValue.of(printed.toString()));
    failure.code().ifPresent(code -> described.put("code", JsonValue.of(code)));
    failure.status().ifPresent(status -> described.put("status", JsonValue.of(status)));
    failure.executionId().ifPresent(id -> described.put("executionId", JsonValue.of(id)));
    failure.requestId().ifPresent(id -> described.put("requestId", JsonValue.of(id)));
    failure.idempotencyKey().ifPresent(key -> described.put("idempotencyKey", JsonValue.of(key)));
    failure
        .retryAfter()
        .ifPresent(delay -> described.put("retryAfterMs", JsonValue.of(delay.toMillis())));
    failure.body().ifPresent(body -> described.put("body", body(body)));
    if (failure instanceof FlowPausedException paused) {
      paused.pauseId().ifPresent(id -> described.put("pauseId", JsonValue.of(id)));
    }
    return new JsonObject(described);
  }

  private static JsonValue body(String text) {
    try {
      return JsonValue.parse(text);
    } catch (SvcException other) {
      return JsonValue.of(text);
    }
  }

  private ClientOptions clientOptions(JsonObject given) {
    ClientOptions.Builder options = ClientOptions.builder().logger(new Log());
    if (given.get("apiKey").isPresent()) {
      options.apiKey(string(given, "apiKey"));
    }
    if (given.get("baseUrl").isPresent()) {
      options.baseUrl(string(given, "baseUrl"));
    }
    if (given.get("timeoutMs").isPresent()) {
      options.timeout(millis(given, "timeoutMs", 0));
    }
    if (given.get("attemptTimeoutMs").isPresent()) {
      options.attemptTimeout(millis(given, "attemptTimeoutMs", 0));
    }
    if (given.get("maxRetries").isPresent()) {
      options.maxRetries((int) number(given, "maxRetries", 0));
    }
    if (given.get("retryDelayMs").isPresent() || given.get("maxRetryDelayMs").isPresent()) {
      options.retryDelay(
          millis(given, "retryDelayMs", 500), millis(given, "maxRetryDelayMs", 8_000));
    }
    if (given.get("retryBudget").isPresent()) {
      options.retryBudget((int) number(given, "retryBudget", 0));
    }
    headers(given).forEach(options::header);
    return options.build();
  }

  private static CallOptions callOptions(
      JsonObject given, AtomicReference<ServiceResponse> answer) {
    CallOptions.Builder options = CallOptions.builder().onResponse(answer::set);
    if (given.get("timeoutMs").isPresent()) {
      options.timeout(millis(given, "timeoutMs", 0));
    }
    if (given.get("maxRetries").isPresent()) {
      options.maxRetries((int) number(given, "maxRetries", 0));
    }
    if (given.get("idempotencyKey").isPresent()) {
      options.idempotencyKey(string(given, "idempotencyKey"));
    }
    headers(given).forEach(options::header);
    return options.build();
  }

  private static Map<String, String> headers(JsonObject given) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (given.get("headers").orElse(null) instanceof JsonObject object) {
      object.members().forEach((name, value) -> headers.put(name, ((JsonString) value).value()));
    }
    return headers;
  }

  private static String string(JsonObject object, String key) {
    return ((JsonString) object.get(key).orElseThrow()).value();
  }

  private static double number(JsonObject object, String key, double otherwise) {
    return object.get(key).orElse(null) instanceof JsonNumber number
        ? number.value().doubleValue()
        : otherwise;
  }

  private static Duration millis(JsonObject object, String key, double otherwise) {
    return Duration.ofNanos((long) (number(object, key, otherwise) * 1e6));
  }

  private final class Log implements System.Logger {
    @Override
    public String getName() {
      return "log";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      log.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... params) {
      log.add(level + " " + format);
    }
  }
}
