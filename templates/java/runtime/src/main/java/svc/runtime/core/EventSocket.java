package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.json.JsonObject;

/** A WebSocket that tells the events of a run as they happen. */
final class EventSocket implements WebSocket.Listener {
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int LONGEST_FAREWELL_SECONDS = 1;

  private final Settings settings;
  private final String executionId;
  private final String path;
  private final int number;

  /** Parts of a message. */
  private StringBuilder text = new StringBuilder();

  private WebSocket socket;
  private Heartbeat heartbeat;
  private boolean isClosed;
  private boolean hasEnded;
  private SvcException failure;

  /** The message that is asked for, or null. */
  private CompletableFuture<Optional<ExecutionEvent>> wanted;

  /** When the first message came, in {@link System#nanoTime}. */
  private volatile long readySince;

  private volatile boolean isReady;

  /**
   * Creates a socket, which is not open.
   *
   * @param number the number of this attempt, from 1
   */
  EventSocket(Settings settings, String executionId, int number) {
    this.settings = settings;
    this.executionId = executionId;
    this.number = number;
    path = "/invocations/v1/debug-stream?session_id=" + executionId + "&decode=true";
  }

  /** Opens the socket and returns its first message, as {@link #next} does. */
  CompletableFuture<Optional<ExecutionEvent>> open(Call call) {
    call.attempts(number, null);
    long started = System.nanoTime();
    CompletableFuture<WebSocket> opening;
    try {
      URI address = URI.create(settings.baseUrl().replaceFirst("^http", "ws") + path);
      opening = settings.transport().openSocket(address, Exchange.headers(call), this);
    } catch (IllegalArgumentException refused) {
      return CompletableFuture.failedFuture(Failures.unsendable(settings, refused));
    }
    if (settings.attemptTimeout() != null) {
      opening = opening.copy().orTimeout(settings.attemptTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }
    return call.during(opening)
        .handle(
            (opened, thrown) -> {
              if (thrown != null) {
                throw refusedBy(Call.causeOf(thrown));
              }
              long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
              log(Level.DEBUG, "answered " + SWITCHING_PROTOCOLS + " in " + millis + " ms");
              return opened;
            })
        .thenCompose(opened -> call.during(next()));
  }

  /** Asks for the next message; empty if the service closed the socket after the last event. */
  CompletableFuture<Optional<ExecutionEvent>> next() {
    CompletableFuture<Optional<ExecutionEvent>> next = new CompletableFuture<>();
    WebSocket source;
    synchronized (this) {
      wanted = next;
      source = socket;
    }
    if (!settleEnd()) {
      source.request(1);
    }
    return next;
  }

  /** Returns how long the socket has been ready for. */
  Duration lasted() {
    return isReady ? Duration.ofNanos(System.nanoTime() - readySince) : Duration.ZERO;
  }

  void log(Level level, String what) {
    Exchange.log(settings, level, "GET " + path + ", attempt " + number + ", " + what);
  }

  /** Closes the socket, also if it opens later. */
  void close() {
    WebSocket open;
    synchronized (this) {
      isClosed = true;
      open = socket;
    }
    if (open == null) {
      return;
    }
    heartbeat.stop();
    if (open.isOutputClosed()) {
      open.abort();
      return;
    }
    open.sendClose(WebSocket.NORMAL_CLOSURE, "")
        .orTimeout(LONGEST_FAREWELL_SECONDS, TimeUnit.SECONDS)
        .whenComplete((closed, problem) -> open.abort());
  }

  @Override
  public void onOpen(WebSocket opened) {
    boolean isLate;
    synchronized (this) {
      isLate = isClosed;
      if (!isLate) {
        socket = opened;
        heartbeat = Heartbeat.start(opened, this::isWaiting, this::fallSilent);
      }
    }
    if (isLate) {
      opened.abort();
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
    heartbeat.hear();
    text.append(part);
    if (!isLast) {
      from.request(1);
      return null;
    }
    if (!isReady) {
      readySince = System.nanoTime();
      isReady = true;
    }
    String message = text.toString();
    text = new StringBuilder();
    CompletableFuture<Optional<ExecutionEvent>> next = takeWanted();
    if (next != null) {
      take(message, next);
    }
    return null;
  }

  @Override
  public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    heartbeat.hearPingOrPong();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
    heartbeat.hearPingOrPong();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    String said = reason.isEmpty() ? "" : ": " + reason;
    end(
        code == WebSocket.NORMAL_CLOSURE
            ? null
            : interrupted("the service closed the WebSocket with " + code + said, null));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    String reason = Failures.reasonOf(error, settings.apiKey());
    end(interrupted("the WebSocket was cut off: " + reason, error));
  }

  private synchronized boolean isWaiting() {
    return wanted != null;
  }

  private void fallSilent() {
    end(interrupted("the WebSocket was cut off: a ping had no answer", null));
  }

  private void take(String message, CompletableFuture<Optional<ExecutionEvent>> next) {
    try {
      next.complete(Optional.of(new ExecutionEvent(JsonObject.parse(message))));
    } catch (InvalidMessageException wrong) {
      next.completeExceptionally(
          Failures.invalidAnswer(
              received(SWITCHING_PROTOCOLS, ErrorDetails.NONE.headers(), message),
              wrong.getMessage(),
              wrong));
    }
  }

  private void end(SvcException reason) {
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
      failure = reason;
    }
    settleEnd();
  }

  /** Completes what is asked for and returns true if the socket has ended. */
  private boolean settleEnd() {
    synchronized (this) {
      if (!hasEnded) {
        return false;
      }
    }
    CompletableFuture<Optional<ExecutionEvent>> next = takeWanted();
    if (next != null) {
      Call.settle(next, Optional.empty(), failure);
    }
    return true;
  }

  private synchronized CompletableFuture<Optional<ExecutionEvent>> takeWanted() {
    CompletableFuture<Optional<ExecutionEvent>> next = wanted;
    wanted = null;
    return next;
  }

  /** Returns the exception for a socket that did not open. */
  private SvcException refusedBy(Throwable cause) {
    if (cause instanceof SvcException known) {
      return known;
    }
    if (cause instanceof IllegalArgumentException refused) {
      return Failures.unsendable(settings, refused);
    }
    if (!(cause instanceof WebSocketHandshakeException refusal)) {
      return Failures.unreachable(settings, cause, details().build());
    }
    HttpResponse<?> response = refusal.getResponse();
    String body = response.body() instanceof String told ? told : "";
    Received answer = received(response.statusCode(), response.headers(), body);
    log(Level.DEBUG, "answered " + answer.status());
    settings.onAnswer().accept(answer.raw());
    return answer.status() < 300
        ? Failures.invalidAnswer(answer, "not a WebSocket", refusal)
        : Failures.ofStatus(answer);
  }

  private StreamInterruptedException interrupted(String message, Throwable cause) {
    return new StreamInterruptedException(
        settings.apiKey().redact(message),
        details().status(SWITCHING_PROTOCOLS).build(),
        settings.apiKey().redact(cause));
  }

  private ErrorDetails.Builder details() {
    return ErrorDetails.builder().executionId(executionId).attempts(number);
  }

  private Received received(int status, HttpHeaders headers, String body) {
    RawAnswer raw =
        new RawAnswer(status, headers, body, Optional.of(executionId), number, Optional.empty());
    return new Received(raw, settings.apiKey(), null);
  }
}
