package svc.runtime.core;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.InterruptedResponseException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.RawObject;

/** A request and its retries. */
final class Exchange {
  private static final String JSON = "application/json";
  private static final String LINES = "application/x-ndjson";
  private static final int UNAUTHORIZED = 401;
  static final String EMPTY_BUDGET = "; not tried again: the retry budget is empty";

  private final Call call;
  private final Settings settings;
  private final String method;
  private final String path;

  /** Returns the body of an attempt, which can depend on the time left; null for no body. */
  private final Supplier<BodyPublisher> body;

  private final String contentType;

  /** Whether an event stream is read as it arrives. */
  private final boolean streams;

  /** Whether the body of the response names the execution that the request created. */
  private final boolean createsExecution;

  /**
   * Null for reads, which are idempotent. The reads of a wait record the key that started the run,
   * but do not send it. The caller needs that key to repeat the call: another key would start a
   * second run.
   */
  private final String idempotencyKey;

  /** The id of the event after which a stream is read; empty to read it from the beginning. */
  private String lastEventId = "";

  /** The number of the latest attempt. */
  private volatile int attempts;

  /** The API key of the latest attempt. */
  private volatile String key;

  /** Whether the service has rejected the first key. */
  private boolean hasNewKey;

  /**
   * The number of attempts that do not count as retries: those that were turned away, and those
   * that made progress.
   */
  private int uncounted;

  /** Whether a retry was taken from the budget. */
  private boolean hasTakenRetry;

  /** Whether a stream is resumed, which survives an outage and does not draw on the budget. */
  private boolean isResumed;

  private Exchange(
      Call call,
      String path,
      Supplier<BodyPublisher> body,
      String contentType,
      boolean createsExecution,
      boolean streams) {
    this.call = call;
    this.settings = call.settings();
    this.method = body == null ? "GET" : "POST";
    this.path = path;
    this.body = body;
    this.contentType = contentType;
    this.createsExecution = createsExecution;
    this.streams = streams;
    this.idempotencyKey = body == null ? call.startKey() : keyOf(settings);
  }

  /** Posts JSON and returns the response if its status is 2xx. */
  static CompletableFuture<Received> post(Call call, String path, Supplier<String> body) {
    return new Exchange(call, path, json(body), JSON, false, false).attempt(1);
  }

  /**
   * Posts JSON to create an execution, at most one per idempotency key, and returns the response if
   * its status is 2xx.
   */
  static CompletableFuture<Received> invoke(Call call, String path, Supplier<String> body) {
    return new Exchange(call, path, json(body), JSON, true, false).attempt(1);
  }

  /**
   * Posts JSON and returns the head of an event stream, or the complete response of another type.
   */
  static CompletableFuture<Received> stream(Call call, String path, Supplier<String> body) {
    return new Exchange(call, path, json(body), JSON, false, true).attempt(1);
  }

  /**
   * Posts lines of JSON as they become available, and returns the response as {@link #stream} does.
   */
  static CompletableFuture<Received> upload(
      Call call, String path, Flow.Publisher<ByteBuffer> lines) {
    Supplier<BodyPublisher> body = () -> BodyPublishers.fromPublisher(lines);
    return new Exchange(call, path, body, LINES, false, true).attempt(1);
  }

  /**
   * Posts lines of JSON as they become available, and returns the response if its status is 2xx.
   */
  static CompletableFuture<Received> uploadToStream(
      Call call, String path, Flow.Publisher<ByteBuffer> lines) {
    Supplier<BodyPublisher> body = () -> BodyPublishers.fromPublisher(lines);
    return new Exchange(call, path, body, LINES, true, false).attempt(1);
  }

  /** Returns the exchange for a stream that can be resumed. */
  static Exchange ofStream(Call call, String path) {
    return new Exchange(call, path, null, null, false, true);
  }

  /**
   * Sends the request for a stream and returns the response as {@link #stream} does.
   *
   * @param after the id of the event after which it begins; empty to read it from the beginning
   */
  CompletableFuture<Received> begin(String after) {
    lastEventId = after;
    return attempt(1);
  }

  /**
   * Resends the request after its response was lost. Fails if it must not be resent.
   *
   * @param after the id of the last event
   */
  CompletableFuture<Received> resume(SvcException lost, String after) {
    isResumed = true;
    if (!after.equals(lastEventId)) {
      lastEventId = after;
      uncounted = attempts - 1;
    }
    return again(note -> lost, attempts);
  }

  /** Sends a GET request and returns the response if its status is 2xx. */
  static CompletableFuture<Received> get(Call call, String path) {
    return new Exchange(call, path, null, null, false, false).attempt(1);
  }

  private static Supplier<BodyPublisher> json(Supplier<String> body) {
    return () -> BodyPublishers.ofString(body.get());
  }

  private static String keyOf(Settings settings) {
    String own = settings.idempotencyKey();
    return own == null ? UUID.randomUUID().toString() : own;
  }

  private CompletableFuture<Received> attempt(int number) {
    if (call.hasEnded()) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    if (call.isElsewhere()) {
      return CompletableFuture.supplyAsync(() -> attempt(number), call.executor())
          .thenCompose(Function.identity());
    }
    attempts = number;
    call.attempts(subject(number), number, idempotencyKey);
    long started = call.connection().now();
    CompletableFuture<String> loaded = settings.apiKey().load(call.attemptTimeout());
    if (loaded.isDone() && !loaded.isCompletedExceptionally()) {
      return attempt(number, loaded.join(), started);
    }
    return call.during(loaded)
        .handleAsync(
            (given, failure) ->
                failure == null
                    ? attempt(number, given, started)
                    : keyless(Call.causeOf(failure), number, started),
            call.executor())
        .thenCompose(Function.identity());
  }

  private CompletableFuture<Received> keyless(Throwable cause, int number, long started) {
    if (call.hasEnded() || cause instanceof ConfigurationException || cause instanceof Error) {
      return CompletableFuture.failedFuture(cause);
    }
    ErrorDetails details = detailsOf(new Head(streams), number);
    long millis = Duration.ofNanos(call.connection().now() - started).toMillis();
    return failed(note -> Failures.keyless(settings, cause, details, note), number, millis);
  }

  private CompletableFuture<Received> attempt(int number, String given, long started) {
    key = given;
    Head head = new Head(streams);
    CompletableFuture<byte[]> sent;
    try {
      sent = send(head, started);
    } catch (RuntimeException | InternalError thrown) {
      sent = CompletableFuture.failedFuture(thrown);
    }
    AtomicBoolean isLate = new AtomicBoolean();
    limit(sent, started, isLate);
    return sent.handle(
            (bytes, failure) -> {
              if (call.hasEnded()) {
                return CompletableFuture.<Received>failedFuture(new CancellationException());
              }
              Duration elapsed = Duration.ofNanos(call.connection().now() - started);
              long millis = elapsed.toMillis();
              if (failure != null) {
                Throwable cause = Call.causeOf(failure);
                if (cause instanceof Error) {
                  return CompletableFuture.<Received>failedFuture(cause);
                }
                if (isLate.get() || isOverdue(cause, elapsed)) {
                  return failed(note -> late(head, number, note), number, millis);
                }
                if (!Failures.isOfConnection(settings, cause)) {
                  log(Level.DEBUG, number, "failed after " + millis + " ms: " + cause);
                  return CompletableFuture.<Received>failedFuture(cause);
                }
                if (!head.isRefusal() || Failures.isTimeout(settings, cause)) {
                  return failed(note -> brokenBy(cause, head, number, note), number, millis);
                }
              }
              Received response =
                  responseOf(head, failure == null ? bytes : head.arrived(), number);
              return isSuccess(response) && !isUtf8(bytes, response.body())
                  ? failed(note -> Failures.invalidResponse(response, "not UTF-8"), number, millis)
                  : arrived(response, number, millis);
            })
        .thenCompose(Function.identity())
        .whenComplete(
            (response, failure) -> {
              if (failure != null) {
                head.release();
              }
            });
  }

  /** Cancels an attempt that takes longer than its timeout. */
  private void limit(CompletableFuture<?> sent, long started, AtomicBoolean isLate) {
    Duration left = timeLeftForAttempt(started);
    if (left == null || sent.isDone()) {
      return;
    }
    // Cancel only this attempt: the next one may have begun when the alarm is handled.
    CompletableFuture<?> request = call.current();
    CompletableFuture<Void> alarm = new CompletableFuture<>();
    alarm.completeOnTimeout(null, Math.max(0, left.toNanos()), TimeUnit.NANOSECONDS);
    alarm.thenRunAsync(
        () -> {
          isLate.set(true);
          request.cancel(true);
        },
        Workers.THREADS);
    sent.whenComplete((bytes, failure) -> alarm.cancel(false));
  }

  /** Returns the remaining timeout of an attempt, or null if attempts have no timeout. */
  private Duration timeLeftForAttempt(long started) {
    Duration timeout = call.attemptTimeout();
    return timeout == null ? null : timeout.minusNanos(call.connection().now() - started);
  }

  /** Reports whether the HTTP client has ended an attempt that took longer than its timeout. */
  private boolean isOverdue(Throwable cause, Duration elapsed) {
    return cause instanceof HttpTimeoutException
        && call.attemptTimeout() != null
        && elapsed.plus(HttpTransport.TOLERANCE).compareTo(call.attemptTimeout()) >= 0;
  }

  /** Sends the request. Returns the response body and stores the headers in {@code head}. */
  private CompletableFuture<byte[]> send(Head head, long started) {
    if (!call.isWaiting() || !(settings.transport() instanceof HttpTransport http)) {
      CompletableFuture<HttpResponse<byte[]>> response =
          settings.transport().send(request().build(), head);
      if (response == null) {
        throw new IllegalStateException("the transport returned null");
      }
      if (settings.transport() instanceof HttpTransport) {
        return call.during(head.firstOf(response));
      }
      call.during(head.cancellationOf(response));
      return Workers.continuing(response).thenApply(head::take);
    }
    try {
      return http.sendHere(request(), call, timeLeftForAttempt(started), head);
    } catch (IOException failure) {
      return CompletableFuture.failedFuture(failure);
    } catch (InterruptedException interruption) {
      call.interrupt(interruption);
      return CompletableFuture.failedFuture(interruption);
    }
  }

  private HttpRequest.Builder request() {
    // Over HTTP/2, the JDK uses one connection. It fails calls that exceed the server's stream
    // limit, and JDK 17 also fails calls in flight when the server asks for another connection.
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(settings.baseUrl() + path))
            .version(HttpClient.Version.HTTP_1_1);
    headers(call, key).forEach(request::setHeader);
    request.setHeader("Accept", streams ? "text/event-stream, " + JSON : JSON);
    if (!lastEventId.isEmpty()) {
      request.setHeader("Last-Event-ID", lastEventId);
    }
    if (body == null) {
      return request.GET();
    }
    request.setHeader("Idempotency-Key", idempotencyKey);
    request.setHeader("Content-Type", contentType);
    return request.POST(body.get());
  }

  /** Returns the headers of the caller and those of every request. */
  static Map<String, String> headers(Call call, String key) {
    String identity = call.connection().identity();
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(call.settings().headers());
    headers.put("Authorization", "Bearer " + key);
    headers.merge("User-Agent", identity, (own, ours) -> own + " " + ours);
    headers.put("X-Svc-Client", identity);
    return headers;
  }

  private CompletableFuture<Received> arrived(Received response, int number, long millis) {
    String execution = response.executionId().map(id -> ", execution " + id).orElse("");
    log(Level.DEBUG, number, "response " + response.status() + " in " + millis + " ms" + execution);
    tell(settings, subject(number), response.raw());
    if (isSuccess(response)) {
      call.latestFailure(null);
    } else {
      return renewsKey(response)
          ? attempt(number + 1)
          : again(note -> Failures.ofStatus(response, note), number);
    }
    Optional<String> difference = response.raw().headers().firstValue("idempotency-mismatch");
    if (difference.isPresent()) {
      return CompletableFuture.failedFuture(Failures.mismatch(response, difference.get()));
    }
    if (!isResumed) {
      call.connection().budget().succeeded(hasTakenRetry);
    }
    return CompletableFuture.completedFuture(response);
  }

  /** Reports whether to resend a request because the service rejected its key. */
  private boolean renewsKey(Received response) {
    if (response.status() != UNAUTHORIZED
        || !settings.apiKey().refuse(key)
        || hasNewKey
        || LINES.equals(contentType)) {
      return false;
    }
    call.latestFailure(Failures.ofStatus(response, ""));
    log(Level.INFO, attempts, "is sent again with another key");
    hasNewKey = true;
    uncounted++;
    return true;
  }

  private CompletableFuture<Received> failed(
      Function<String, SvcException> noted, int number, long millis) {
    log(Level.DEBUG, number, "failed after " + millis + " ms: " + noted.apply("").getMessage());
    return again(noted, number);
  }

  /**
   * Retries or fails.
   *
   * @param noted returns the exception, with a note at the end of its message
   */
  private CompletableFuture<Received> again(Function<String, SvcException> noted, int number) {
    SvcException failure = noted.apply("");
    call.latestFailure(failure);
    if (call.isWaitingForRun()) {
      // The next poll follows anyway.
      return CompletableFuture.failedFuture(failure);
    }
    boolean isTurnedAway = settings.maxRetries() > 0 && RetryPolicy.isTurnedAway(failure);
    int retry = number - uncounted;
    int most = isResumed ? settings.mostReconnects() : settings.maxRetries();
    if (!isTurnedAway && (retry > most || !RetryPolicy.mayPass(failure))) {
      return CompletableFuture.failedFuture(failure);
    }
    Duration left = createsExecution ? call.timeLeftForKey() : call.timeLeft();
    Optional<Duration> delay =
        RetryPolicy.delayBefore(retry, failure, settings).filter(wait -> wait.compareTo(left) < 0);
    if (delay.isEmpty()) {
      return CompletableFuture.failedFuture(failure);
    }
    if (isTurnedAway) {
      uncounted++;
    } else if (!isResumed) {
      if (!call.connection().budget().take()) {
        log(Level.INFO, number, "is not retried, because the retry budget is empty");
        return CompletableFuture.failedFuture(noted.apply(EMPTY_BUDGET));
      }
      hasTakenRetry = true;
    }
    Duration wait = RetryPolicy.spread(delay.get(), failure, settings, left);
    log(Level.INFO, number, "is retried in " + wait.toMillis() + " ms: " + failure.getMessage());
    return call.sleep(wait).thenCompose(nothing -> attempt(number + 1));
  }

  private Received responseOf(Head head, byte[] bytes, int number) {
    EventBody events = head.events(bytes);
    String text = bytes == null || events != null ? "" : new String(bytes, StandardCharsets.UTF_8);
    ServiceResponse raw =
        new ServiceResponse(
            head.status(),
            head.headers(),
            text,
            executionId(head, text),
            number,
            Optional.ofNullable(idempotencyKey));
    return new Received(raw, settings.apiKey(), events);
  }

  private Optional<String> executionId(Head head, String body) {
    return head.headers()
        .firstValue("x-execution-id")
        .filter(id -> !id.isEmpty())
        .or(call::executionId)
        .or(
            () ->
                createsExecution
                    ? RawObject.tryParse(body).flatMap(fields -> fields.text("execution_id"))
                    : Optional.empty())
        .map(settings.apiKey()::redact);
  }

  private static boolean isSuccess(Received response) {
    return response.status() >= 200 && response.status() <= 299;
  }

  /** Reports whether the bytes are valid UTF-8, without replacement characters. */
  static boolean isUtf8(byte[] bytes, String text) {
    if (bytes == null || text.indexOf('\uFFFD') < 0) {
      return true;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException replaced) {
      return false;
    }
  }

  private SvcException brokenBy(Throwable failure, Head head, int number, String note) {
    if (failure instanceof IllegalArgumentException refused) {
      return Failures.unsendable(settings, refused);
    }
    if (Failures.isTimeout(settings, failure)) {
      return Failures.timedOut(settings, failure, detailsOf(head, number));
    }
    if (head.status() == 0) {
      return Failures.unreachable(settings, failure, detailsOf(head, number), note);
    }
    ErrorDetails details = detailsOf(head, number);
    String reason = Failures.reasonOf(failure, settings.apiKey());
    return new InterruptedResponseException(
        "the response was cut off: "
            + reason
            + Failures.origin("", Optional.empty(), details.requestId())
            + note,
        details,
        settings.apiKey().redact(failure));
  }

  /** Returns the exception for an attempt that took longer than its timeout. */
  private SvcException late(Head head, int number, String note) {
    ErrorDetails details = detailsOf(head, number);
    if (head.status() == 0) {
      return Failures.late(call.attemptTimeout(), details, note);
    }
    HttpTimeoutException cause = Failures.lateness(call.attemptTimeout());
    String origin = Failures.origin("", Optional.empty(), details.requestId());
    return new InterruptedResponseException(cause.getMessage() + origin + note, details, cause);
  }

  /** Returns the details of an exception for an attempt without a complete response. */
  private ErrorDetails detailsOf(Head head, int number) {
    ErrorDetails.Builder details =
        ErrorDetails.builder()
            .attempts(number)
            .idempotencyKey(Optional.ofNullable(idempotencyKey))
            .executionId(executionId(head, ""));
    if (head.status() != 0) {
      details.status(head.status()).headers(settings.apiKey().redact(head.headers()));
    }
    return details.build();
  }

  private void log(Level level, int attempt, String what) {
    log(settings, level, subject(attempt) + ", " + what);
  }

  /** Returns the name of an attempt in log lines. */
  private String subject(int attempt) {
    return method + " " + path + ", attempt " + attempt;
  }

  /** Calls the listener for responses. */
  static void tell(Settings settings, String subject, ServiceResponse response) {
    try {
      settings.onResponse().accept(response);
    } catch (RuntimeException broken) {
      log(settings, Level.WARNING, subject + ", the onResponse listener failed: " + broken);
    }
  }

  /** Logs a line. */
  static void log(Settings settings, Level level, String line) {
    try {
      if (settings.logger().isLoggable(level)) {
        settings.logger().log(level, settings.apiKey().redact(line));
      }
    } catch (RuntimeException broken) {
      // Logger errors must not affect the call.
    }
  }
}
