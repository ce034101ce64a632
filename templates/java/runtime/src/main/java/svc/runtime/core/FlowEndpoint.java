package svc.runtime.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.runtime.internal.Codec;
import svc.runtime.internal.Codecs;
import svc.runtime.internal.RawObject;

/**
 * Descriptor of a compiled flow.
 *
 * @param graphId the id of its graph
 */
record FlowEndpoint<I, O>(String graphId, Codec<I> input, Codec<O> output) {
  private static final String INVOKE_PATH = "/invocations/v1/flows/invoke";
  private static final String STREAM_PATH = INVOKE_PATH + "/stream";
  private static final String WARM_PATH = "/invocations/v1/flows/warm";

  /**
   * The maximum number of seconds that a request waits for a run to end. This is below the idle
   * timeout of common proxies. Afterwards, the client polls.
   */
  private static final long LONGEST_WAIT = 50;

  /** The maximum timeout of a run in seconds. */
  private static final long LONGEST_RUN = 86_400;

  CompletableFuture<O> run(ServiceConnection connection, I value, CallOptions options) {
    return begin(
        connection,
        value,
        options,
        (call, opening) ->
            Exchange.invoke(call, INVOKE_PATH, () -> waiting(call, opening))
                .thenCompose(response -> result(call, response)));
  }

  CompletableFuture<Execution<O>> start(
      ServiceConnection connection, I value, CallOptions options) {
    return begin(
        connection,
        value,
        options,
        (call, opening) ->
            Exchange.invoke(call, INVOKE_PATH, () -> opening + "}")
                .thenApply(response -> execution(connection, idOf(response), response)));
  }

  static CompletableFuture<Void> warm(
      ServiceConnection connection, String graphId, CallOptions options) {
    String body = "{\"graph_id\":" + Codecs.STRING.toJson(graphId) + "}";
    return Call.start(
        connection,
        options,
        call -> Exchange.post(call, WARM_PATH, () -> body).thenAccept(response -> {}));
  }

  private Execution<O> execution(ServiceConnection connection, String id, Received response) {
    return new Execution<>(connection, id, output, response.raw().idempotencyKey());
  }

  /** Runs a pipeline flow. */
  StreamCall<O> stream(ServiceConnection connection, I value, CallOptions options) {
    Objects.requireNonNull(value, "input");
    return new StreamCall<>(
        connection,
        connection.settings().with(options).ofStream(true),
        call -> {
          String opening = opening(value);
          return Exchange.stream(call, STREAM_PATH, () -> limited(call, opening))
              .thenApply(head -> FrameReader.ofEvents(output, true, call, head, null));
        });
  }

  /**
   * Starts a call with the beginning of the request body, up to the members that control waiting.
   */
  private <T> CompletableFuture<T> begin(
      ServiceConnection connection, I value, CallOptions options, Invocation<T> invocation) {
    Objects.requireNonNull(value, "input");
    return Call.start(connection, options, call -> invocation.send(call, opening(value)));
  }

  private String opening(I value) {
    String graph = Codecs.STRING.toJson(graphId);
    return "{\"graph_id\":" + graph + ",\"input\":" + input.toJson(value);
  }

  /** Limits the run to the time that is left, rounded up so that the client gives up first. */
  private static String limited(Call call, String opening) {
    Duration rounded = call.timeLeft().plusSeconds(1).minusNanos(1);
    long seconds = Math.max(1, Math.min(rounded.toSeconds(), LONGEST_RUN));
    return opening + ",\"timeout_seconds\":" + seconds + "}";
  }

  /**
   * Asks the service to wait for a whole number of seconds. One second is reserved for the response
   * to arrive. If less than two seconds are left, the service is not asked to wait, and returns the
   * id of the run at once. The same applies after an attempt that may have started the run, because
   * a proxy that cut off a slow response would cut off the next one, too.
   */
  private static String waiting(Call call, String opening) {
    Duration left = call.timeLeft();
    Duration attempt = call.settings().attemptTimeout();
    if (attempt != null && attempt.compareTo(left) < 0) {
      left = attempt;
    }
    long seconds = Math.min(left.toSeconds() - 1, LONGEST_WAIT);
    if (seconds < 1 || call.mayBeHandled()) {
      return opening + "}";
    }
    return opening + ",\"wait\":true,\"timeout_seconds\":" + seconds + "}";
  }

  private CompletableFuture<O> result(Call call, Received response) {
    RawObject fields = response.fields();
    Execution<O> execution = execution(call.connection(), idOf(fields, response), response);
    Optional<RawObject> result = fields.raw("result").flatMap(RawObject::tryParse);
    if (result.isPresent()) {
      return CompletableFuture.completedFuture(ended(result.get(), execution, response));
    }
    if (fields.text("execution_status").filter("PAUSED"::equals).isPresent()) {
      throw execution.paused(
          fields.text("pause_id"), response.details().executionId(execution.id()).build());
    }
    return execution.await(call);
  }

  private O ended(RawObject result, Execution<O> execution, Received response) {
    if (result.raw("success").filter("true"::equals).isEmpty()) {
      throw Failures.flowFailed(result.text("error_message"), execution.id(), response);
    }
    return execution.read(result.raw("output"), response);
  }

  /** Returns the id of the run that a response names. */
  static String idOf(Received response) {
    return idOf(response.fields(), response);
  }

  private static String idOf(RawObject fields, Received response) {
    String id =
        fields
            .text("execution_id")
            .orElseThrow(() -> Failures.invalidResponse(response, "execution_id is missing"));
    if (!Execution.isId(id)) {
      throw Failures.invalidResponse(response, "execution_id is malformed");
    }
    return id;
  }

  /** Sends an invocation request. */
  private interface Invocation<T> {
    CompletableFuture<T> send(Call call, String opening);
  }
}
