package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.UnauthorizedException;
import svc.runtime.json.JsonObject;

/** Opens a live session, and retries after transient failures until it is ready. */
final class LiveOpening<I, O> {
  /**
   * How many characters are read ahead of the program. While a message is requested, pings are
   * answered and the end of the connection is noticed at once. A program that falls further behind
   * sets the pace.
   */
  static final int READ_AHEAD = 1 << 20;

  private final NodeEndpoint<I, O> node;
  private final CompletableFuture<LiveSession<I, O>> result = new CompletableFuture<>();

  /** Whether the service has rejected the first API key. */
  private boolean hasNewKey;

  /** The number of attempts that were turned away, which do not count as retries. */
  private int uncounted;

  /** Whether a retry was taken from the budget. */
  private boolean hasTakenRetry;

  private LiveOpening(NodeEndpoint<I, O> node) {
    this.node = node;
  }

  static <I, O> CompletableFuture<LiveSession<I, O>> open(
      ServiceConnection connection, NodeEndpoint<I, O> node, CallOptions options) {
    LiveOpening<I, O> opening = new LiveOpening<>(node);
    Call.start(
        connection,
        connection.settings().with(options),
        opening.result,
        call -> opening.attempt(call, 1));
    return opening.result;
  }

  private CompletableFuture<LiveSession<I, O>> attempt(Call call, int number) {
    MessageSocket socket =
        new MessageSocket(call.settings(), node.path() + "/live", number, READ_AHEAD);
    result.whenComplete(
        (session, failure) -> {
          if (failure != null) {
            socket.close();
          }
        });
    if (call.hasEnded()) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    return socket
        .open(call, call.settings().attemptTimeout())
        .thenApply(first -> begin(call, socket, first))
        .handle(
            (session, failure) ->
                failure == null
                    ? CompletableFuture.completedFuture(session)
                    : again(call, socket, number, Call.causeOf(failure)))
        .thenCompose(Function.identity());
  }

  /** Waits before the next attempt. Fails if there must be none. */
  private CompletableFuture<LiveSession<I, O>> again(
      Call call, MessageSocket lost, int number, Throwable cause) {
    lost.close();
    if (!(cause instanceof SvcException failure)) {
      return CompletableFuture.failedFuture(cause);
    }
    call.latestFailure(failure);
    if (failure instanceof UnauthorizedException && lost.refuseKey() && !hasNewKey) {
      lost.log(Level.INFO, "is opened again with another key");
      hasNewKey = true;
      uncounted++;
      return attempt(call, number + 1);
    }
    int retries = call.settings().maxRetries();
    boolean isTurnedAway = retries > 0 && RetryPolicy.isTurnedAway(failure);
    int retry = number - uncounted;
    if (!isTurnedAway && (retry > retries || !RetryPolicy.mayPass(failure))) {
      return CompletableFuture.failedFuture(failure);
    }
    Duration left = call.timeLeft();
    Optional<Duration> delay =
        RetryPolicy.delayBefore(retry, failure, call.settings())
            .filter(wait -> wait.compareTo(left) < 0);
    if (delay.isEmpty()) {
      return CompletableFuture.failedFuture(failure);
    }
    if (isTurnedAway) {
      uncounted++;
    } else if (call.connection().budget().take()) {
      hasTakenRetry = true;
    } else {
      lost.log(Level.INFO, "is not opened again, because the retry budget is empty");
      return CompletableFuture.failedFuture(Failures.noted(failure, Exchange.EMPTY_BUDGET));
    }
    Duration wait = RetryPolicy.spread(delay.get(), failure, call.settings(), left);
    lost.log(Level.INFO, "is opened again in " + wait.toMillis() + " ms: " + failure.getMessage());
    return call.sleep(wait).thenCompose(nothing -> attempt(call, number + 1));
  }

  private LiveSession<I, O> begin(Call call, MessageSocket socket, Optional<String> first) {
    Received ready =
        socket.received(
            first.orElseThrow(
                () ->
                    socket.interrupted(
                        "the service closed the WebSocket with 1000, before it was ready")));
    if (ready.fields().text("type").filter("SESSION_READY"::equals).isEmpty()) {
      throw Failures.invalidResponse(ready, "the session does not begin with SESSION_READY");
    }
    JsonObject message = JsonObject.parse(ready.body());
    message.text("execution_id").ifPresent(socket::concerns);
    FrameReader<O> frames =
        new FrameReader<>(node.output(), false, call, socket.received(ready.body()), null);
    call.connection().budget().succeeded(hasTakenRetry);
    return new LiveSession<>(node.input(), socket, new LiveReader<>(socket, frames), message);
  }
}
