package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;

/** A WebSocket on which the service sends text messages and may receive some. */
final class MessageSocket implements WebSocket.Listener {
  private static final int SWITCHING_PROTOCOLS = 101;

  /** The close code that the JDK reports for a connection that ended without a close frame. */
  private static final int CLOSED_ABNORMALLY = 1006;

  private static final int LONGEST_FAREWELL_SECONDS = 1;

  private final Settings settings;
  private final String path;
  private final int number;

  /** How many characters are read before they are requested. */
  private final int ahead;

  private volatile Optional<String> executionId = Optional.empty();

  /** The API key, or null before it is known. */
  private volatile String key;

  /** The parts of an incomplete message. */
  private StringBuilder text = new StringBuilder();

  /** Messages that arrived before they were requested. */
  private final Deque<String> waiting = new ArrayDeque<>();

  private int waitingLength;
  private WebSocket socket;
  private Heartbeat heartbeat;
  private boolean isClosed;
  private boolean hasEnded;

  /** Why the socket has ended; null if it ended normally. */
  private Supplier<SvcException> failure;

  /** The pending request for a message, or null. */
  private CompletableFuture<Optional<String>> wanted;

  /** Whether a requested message has not arrived yet. */
  private boolean isRequested;

  /** The pending send of the latest message. The next message is sent after it. */
  private CompletableFuture<?> sending = CompletableFuture.completedFuture(null);

  /** When the first message arrived, in {@link System#nanoTime}. */
  private volatile long readySince;

  private volatile boolean isReady;

  /**
   * Creates a socket without opening it.
   *
   * @param path its path relative to the base URL
   * @param number the number of this attempt, starting at 1
   * @param ahead how many characters are read before they are requested
   */
  MessageSocket(Settings settings, String path, int number, int ahead) {
    this.settings = settings;
    this.path = path;
    this.number = number;
    this.ahead = ahead;
  }

  /** Records the execution, for exceptions about the socket. */
  void concerns(String id) {
    executionId = Optional.of(id);
  }

  /**
   * Opens the socket and returns its first message, as {@link #next} does.
   *
   * @param limit how long this may take, or null if only the timeout of the call applies
   */
  CompletableFuture<Optional<String>> open(Call call, Duration limit) {
    call.attempts(subject(), number, null);
    long started = System.nanoTime();
    return Workers.continuing(call.during(settings.apiKey().load(limit)))
        .handle(
            (given, failure) ->
                failure == null
                    ? open(call, limit, given, started)
                    : CompletableFuture.<Optional<String>>failedFuture(
                        keyless(call, Call.causeOf(failure))))
        .thenCompose(Function.identity());
  }

  private Throwable keyless(Call call, Throwable cause) {
    return call.hasEnded() || cause instanceof ConfigurationException || cause instanceof Error
        ? cause
        : Failures.keyless(settings, cause, details().build(), "");
  }

  private CompletableFuture<Optional<String>> open(
      Call call, Duration limit, String given, long started) {
    key = given;
    CompletableFuture<WebSocket> opening;
    try {
      URI address = URI.create(settings.baseUrl().replaceFirst("^http", "ws") + path);
      // Completing the future of the JDK could lose its socket and leave the connection open.
      // Cancelling a copy ends the handshake, unless it has already ended.
      opening = socketAt(address, Exchange.headers(call, given)).copy();
    } catch (RuntimeException | InternalError thrown) {
      return CompletableFuture.failedFuture(refusedBy(Call.causeOf(thrown)));
    }
    CompletableFuture<WebSocket> handshake = opening;
    if (limit != null) {
      opening = handshake.copy().orTimeout(left(limit, started), TimeUnit.NANOSECONDS);
      opening.whenComplete((opened, failure) -> handshake.cancel(true));
    }
    return Workers.continuing(
        call.during(opening)
            .handle(
                (opened, thrown) -> {
                  if (thrown != null) {
                    throw refusedBy(Call.causeOf(thrown));
                  }
                  long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
                  log(Level.DEBUG, "response " + SWITCHING_PROTOCOLS + " in " + millis + " ms");
                  return opened;
                })
            .thenCompose(opened -> call.during(first(limit, started)))
            .exceptionally(
                failure -> {
                  Throwable cause = Call.causeOf(failure);
                  throw cause instanceof TimeoutException
                      ? refusedBy(cause)
                      : new CompletionException(cause);
                }));
  }

  /** Requests the first message, which must arrive within the rest of the limit. */
  private CompletableFuture<Optional<String>> first(Duration limit, long started) {
    CompletableFuture<Optional<String>> first = next();
    if (limit != null) {
      first.orTimeout(left(limit, started), TimeUnit.NANOSECONDS);
    }
    return first;
  }

  /** Returns the rest of a limit, in nanoseconds. */
  private static long left(Duration limit, long started) {
    return Math.max(0, limit.toNanos() - (System.nanoTime() - started));
  }

  private CompletableFuture<WebSocket> socketAt(URI address, Map<String, String> headers) {
    CompletableFuture<WebSocket> opening = settings.transport().openSocket(address, headers, this);
    if (opening == null) {
      throw new IllegalStateException("the transport returned no WebSocket");
    }
    return opening;
  }

  /** Requests the next message; empty if the service closed the socket with 1000 before it. */
  CompletableFuture<Optional<String>> next() {
    CompletableFuture<Optional<String>> next = new CompletableFuture<>();
    String message;
    synchronized (this) {
      message = waiting.poll();
      if (message == null) {
        wanted = next;
      } else {
        waitingLength -= message.length();
      }
    }
    if (message != null) {
      next.complete(Optional.of(message));
    }
    if (!settleEnd()) {
      requestNext();
    }
    return next;
  }

  /** Requests a message if one is wanted, or if few are waiting. */
  private void requestNext() {
    WebSocket source;
    synchronized (this) {
      if (socket == null || isRequested || wanted == null && waitingLength >= ahead) {
        return;
      }
      isRequested = true;
      source = socket;
    }
    source.request(1);
  }

  /**
   * Sends a message after the previous ones.
   *
   * @return a future that completes when it has been written, or with a {@link ConnectionException}
   */
  synchronized CompletableFuture<Void> send(String message) {
    CompletableFuture<WebSocket> sent =
        sending.thenCompose(
            nothing -> {
              heartbeat.send(message.length());
              return socket.sendText(message, true);
            });
    sending = sent;
    return Workers.continuing(sent)
        .handle(
            (open, failure) -> {
              if (failure != null) {
                throw unsent(Call.causeOf(failure));
              }
              return null;
            });
  }

  /** Returns the exception for a message that is sent after the socket has ended. */
  ConnectionException ended() {
    return new ConnectionException(
        "the session has ended", details().status(SWITCHING_PROTOCOLS).build());
  }

  synchronized boolean hasEnded() {
    return hasEnded;
  }

  /**
   * Returns why the socket has ended; empty if it has not, or if the service closed it with 1000.
   */
  synchronized Optional<SvcException> failure() {
    return Optional.ofNullable(failure).map(Supplier::get);
  }

  /** Returns the last message that was not requested. */
  synchronized Optional<String> lastWaiting() {
    return Optional.ofNullable(waiting.peekLast());
  }

  private ConnectionException unsent(Throwable cause) {
    return new ConnectionException(
        "the session has ended: " + Failures.reasonOf(cause, settings.apiKey()),
        details().status(SWITCHING_PROTOCOLS).build(),
        settings.apiKey().redact(cause));
  }

  /** Forgets the API key, which was rejected. Returns false if there can be no other key. */
  boolean refuseKey() {
    return settings.apiKey().refuse(key);
  }

  /** Reports whether a message has arrived. */
  boolean isReady() {
    return isReady;
  }

  /** Returns how long the socket has been ready. */
  Duration lasted() {
    return isReady ? Duration.ofNanos(System.nanoTime() - readySince) : Duration.ZERO;
  }

  void log(Level level, String what) {
    Exchange.log(settings, level, subject() + ", " + what);
  }

  /** Logs a failure if the socket was cut off. */
  void logLoss(Throwable failure) {
    if (Call.causeOf(failure) instanceof StreamInterruptedException lost) {
      log(Level.DEBUG, "failed: " + lost.getMessage());
    }
  }

  /** Returns the name of the attempt in log lines. */
  private String subject() {
    return "GET " + path + ", attempt " + number;
  }

  /** Closes the socket, even if it opens later. */
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
    if (part.length() > FrameReader.LONGEST_FRAME - text.length()) {
      text = new StringBuilder();
      end(this::tooLong);
      from.abort();
      return null;
    }
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
    CompletableFuture<Optional<String>> next;
    synchronized (this) {
      isRequested = false;
      next = takeWanted();
      if (next == null) {
        waiting.add(message);
        waitingLength += message.length();
      }
    }
    requestNext();
    if (next != null) {
      next.complete(Optional.of(message));
    }
    return null;
  }

  @Override
  public CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean isLast) {
    end(() -> Failures.invalidResponse(received(""), "a message is not text"));
    from.abort();
    return null;
  }

  @Override
  public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    heartbeat.hearPing();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
    heartbeat.hearPong();
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    if (code == WebSocket.NORMAL_CLOSURE) {
      end(null);
    } else if (code == CLOSED_ABNORMALLY) {
      end(() -> interrupted("the WebSocket was cut off: the connection ended"));
    } else {
      String said = reason.isEmpty() ? "" : ": " + reason;
      end(() -> interrupted("the service closed the WebSocket with " + code + said));
    }
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    if (error instanceof InternalError) {
      // The JDK fails if a connection ends right after a message.
      onClose(from, CLOSED_ABNORMALLY, "");
      return;
    }
    end(() -> cutOff(error));
  }

  private StreamInterruptedException cutOff(Throwable cause) {
    String reason = Failures.reasonOf(cause, settings.apiKey());
    return interrupted("the WebSocket was cut off: " + reason, cause);
  }

  private SvcException tooLong() {
    return Failures.invalidResponse(
        received(""), "a message is longer than " + FrameReader.LONGEST_FRAME + " characters");
  }

  private synchronized boolean isWaiting() {
    return isRequested;
  }

  /**
   * Ends a socket whose other side is gone or does not read. Aborting the socket wakes a blocked
   * sender.
   */
  private void fallSilent(Throwable cause) {
    end(() -> cutOff(cause));
    WebSocket silent;
    synchronized (this) {
      silent = socket;
    }
    silent.abort();
  }

  private void end(Supplier<SvcException> reason) {
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
      failure = reason;
    }
    settleEnd();
  }

  /** Completes the pending request and returns true if the socket has ended. */
  private boolean settleEnd() {
    synchronized (this) {
      if (!hasEnded) {
        return false;
      }
    }
    CompletableFuture<Optional<String>> next = takeWanted();
    if (next != null) {
      Call.settle(next, Optional.empty(), failure == null ? null : failure.get());
    }
    return true;
  }

  private synchronized CompletableFuture<Optional<String>> takeWanted() {
    CompletableFuture<Optional<String>> next = wanted;
    wanted = null;
    return next;
  }

  /** Returns the exception for a socket that did not open. */
  private RuntimeException refusedBy(Throwable cause) {
    if (!Failures.isOfConnection(settings, cause)) {
      return cause instanceof RuntimeException own ? own : new CompletionException(cause);
    }
    if (cause instanceof IllegalArgumentException refused) {
      return Failures.unsendable(settings, refused);
    }
    if (cause instanceof TimeoutException && settings.attemptTimeout() != null) {
      return Failures.late(settings.attemptTimeout(), details().build(), "");
    }
    if (Failures.isTimeout(settings, cause)) {
      return Failures.timedOut(settings, cause, details().build());
    }
    if (!(cause instanceof WebSocketHandshakeException refusal)) {
      return Failures.unreachable(settings, cause, details().build(), "");
    }
    HttpResponse<?> refused = refusal.getResponse();
    String body = refused.body() instanceof String text ? text : "";
    Received response = received(refused.statusCode(), refused.headers(), body);
    log(Level.DEBUG, "response " + response.status());
    Exchange.tell(settings, subject(), response.raw());
    return response.status() < 300
        ? Failures.invalidResponse(response, "not a WebSocket", refusal)
        : Failures.ofStatus(response, "");
  }

  /** Returns the exception for a socket that ended too early. */
  StreamInterruptedException interrupted(String message) {
    return new StreamInterruptedException(
        named(message), details().status(SWITCHING_PROTOCOLS).build());
  }

  /** Returns the exception for a socket that ended too early. */
  private StreamInterruptedException interrupted(String message, Throwable cause) {
    return new StreamInterruptedException(
        named(message),
        details().status(SWITCHING_PROTOCOLS).build(),
        settings.apiKey().redact(cause));
  }

  /** Names the run at the end of a message. */
  private String named(String message) {
    return settings.apiKey().redact(message + Failures.origin("", executionId, Optional.empty()));
  }

  ErrorDetails.Builder details() {
    return ErrorDetails.builder().executionId(executionId).attempts(number);
  }

  /** Returns a message as the response of the service, for exceptions about it. */
  Received received(String message) {
    return received(SWITCHING_PROTOCOLS, ErrorDetails.NONE.headers(), message);
  }

  private Received received(int status, HttpHeaders headers, String body) {
    ServiceResponse raw =
        new ServiceResponse(status, headers, body, executionId, number, Optional.empty());
    return new Received(raw, settings.apiKey(), null);
  }
}
