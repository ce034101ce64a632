package svc.runtime.core;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.InterruptedAnswerException;
import svc.runtime.errors.SvcException;

/** A request and its retries. */
final class Exchange {
  private final Call call;
  private final Settings settings;
  private final String method;
  private final String path;

  /** Returns the body of an attempt, which can depend on the time left; null for no body. */
  private final Supplier<String> body;

  /** Null for reads, which are idempotent. */
  private final String idempotencyKey;

  private Exchange(Call call, String method, String path, Supplier<String> body) {
    this.call = call;
    this.settings = call.settings();
    this.method = method;
    this.path = path;
    this.body = body;
    this.idempotencyKey = body == null ? null : keyOf(settings);
  }

  /** Posts JSON and returns the response if its status is 2xx. */
  static CompletableFuture<RawAnswer> post(Call call, String path, Supplier<String> body) {
    return new Exchange(call, "POST", path, body).attempt(1);
  }

  /** Sends a GET request and returns the response if its status is 2xx. */
  static CompletableFuture<RawAnswer> get(Call call, String path) {
    return new Exchange(call, "GET", path, null).attempt(1);
  }

  private static String keyOf(Settings settings) {
    String own = settings.idempotencyKey();
    return own == null ? UUID.randomUUID().toString() : own;
  }

  private CompletableFuture<RawAnswer> attempt(int number) {
    if (call.hasEnded()) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    long started = System.nanoTime();
    Head head = new Head();
    CompletableFuture<byte[]> sent;
    try {
      sent = send(head);
    } catch (IllegalArgumentException refused) {
      return CompletableFuture.failedFuture(unsendable(refused));
    }
    return sent.handle(
            (bytes, failure) -> {
              if (call.hasEnded()) {
                return CompletableFuture.<RawAnswer>failedFuture(new CancellationException());
              }
              long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
              if (failure != null) {
                return failed(brokenBy(Call.causeOf(failure), head), number, millis);
              }
              RawAnswer answer = answerOf(head, bytes, number);
              return isSuccess(answer) && !isUtf8(bytes, answer.body())
                  ? failed(Failures.invalidAnswer(answer, "not UTF-8", null), number, millis)
                  : answered(answer, number, millis);
            })
        .thenCompose(Function.identity());
  }

  /** Sends the request. Returns the response body and stores the headers in {@code head}. */
  private CompletableFuture<byte[]> send(Head head) {
    if (!call.isWaiting() || !(settings.transport() instanceof HttpTransport http)) {
      return call.during(settings.transport().send(request().build(), head)).thenApply(head::take);
    }
    try {
      return http.sendHere(request(), call, head);
    } catch (IOException failure) {
      return CompletableFuture.failedFuture(failure);
    } catch (InterruptedException interruption) {
      call.interrupt(interruption);
      return CompletableFuture.failedFuture(interruption);
    }
  }

  private HttpRequest.Builder request() {
    URI address = URI.create(settings.baseUrl() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    settings.headers().forEach(request::setHeader);
    request.setHeader("Accept", "application/json");
    request.setHeader("Authorization", "Bearer " + settings.apiKey().reveal());
    request.setHeader("User-Agent", call.connection().identity());
    request.setHeader("X-Svc-Client", call.connection().identity());
    if (body == null) {
      return request.version(version(address)).GET();
    }
    request.setHeader("Idempotency-Key", idempotencyKey);
    request.setHeader("Content-Type", "application/json");
    return request.version(version(address)).POST(BodyPublishers.ofString(body.get()));
  }

  /** Without TLS, HTTP/2 would require an upgrade that few servers support. */
  private static HttpClient.Version version(URI address) {
    return "https".equalsIgnoreCase(address.getScheme())
        ? HttpClient.Version.HTTP_2
        : HttpClient.Version.HTTP_1_1;
  }

  private CompletableFuture<RawAnswer> answered(RawAnswer answer, int number, long millis) {
    log(Level.DEBUG, number, "answered " + answer.status() + " in " + millis + " ms");
    settings.onAnswer().accept(answer);
    if (isSuccess(answer)) {
      call.connection().budget().succeeded();
      return CompletableFuture.completedFuture(answer);
    }
    return again(Failures.ofStatus(answer), number);
  }

  private CompletableFuture<RawAnswer> failed(SvcException failure, int number, long millis) {
    log(Level.DEBUG, number, "failed after " + millis + " ms: " + failure.getMessage());
    return again(failure, number);
  }

  /** Retries or fails. */
  private CompletableFuture<RawAnswer> again(SvcException failure, int number) {
    if (number > settings.maxRetries() || !RetryPolicy.mayPass(failure)) {
      return CompletableFuture.failedFuture(failure);
    }
    Optional<Duration> delay =
        RetryPolicy.delayBefore(number, failure, settings)
            .filter(wait -> wait.compareTo(call.timeLeft()) < 0);
    if (delay.isEmpty() || !call.connection().budget().take()) {
      return CompletableFuture.failedFuture(failure);
    }
    log(
        Level.INFO,
        number,
        "is retried in " + delay.get().toMillis() + " ms: " + failure.getMessage());
    return call.sleep(delay.get()).thenCompose(nothing -> attempt(number + 1));
  }

  private RawAnswer answerOf(Head head, byte[] bytes, int number) {
    HttpHeaders headers = settings.apiKey().redact(head.headers());
    String text = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    return new RawAnswer(
        head.status(),
        headers,
        settings.apiKey().redact(text),
        headers.firstValue("x-execution-id").filter(id -> !id.isEmpty()),
        number,
        Optional.ofNullable(idempotencyKey));
  }

  private static boolean isSuccess(RawAnswer answer) {
    return answer.status() >= 200 && answer.status() <= 299;
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

  private SvcException brokenBy(Throwable failure, Head head) {
    if (failure instanceof IllegalArgumentException refused) {
      return unsendable(refused);
    }
    String reason = reasonOf(failure);
    Throwable cause = settings.apiKey().redact(failure);
    if (head.status() == 0) {
      return new ConnectionException(
          "cannot reach the service at " + settings.baseUrl() + ": " + reason,
          ErrorDetails.NONE,
          cause);
    }
    ErrorDetails details =
        new ErrorDetails(
            OptionalInt.of(head.status()),
            Optional.empty(),
            settings.apiKey().redact(head.headers()),
            Optional.empty(),
            head.headers().firstValue("x-execution-id"),
            Optional.empty());
    return new InterruptedAnswerException(
        "the connection was lost while reading the response: " + reason, details, cause);
  }

  /** Returns the most specific message. That of a refused connection is in its cause. */
  private String reasonOf(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each.getMessage() != null && !each.getMessage().isEmpty()) {
        return settings.apiKey().redact(each.getMessage());
      }
    }
    return failure instanceof IOException
        ? failure.getClass().getSimpleName()
        : settings.apiKey().redact(failure.toString());
  }

  private ConfigurationException unsendable(IllegalArgumentException refused) {
    return new ConfigurationException(
        "cannot send the request: " + reasonOf(refused), settings.apiKey().redact(refused));
  }

  private void log(Level level, int attempt, String what) {
    try {
      if (settings.logger().isLoggable(level)) {
        String line = method + " " + path + ", attempt " + attempt + ", " + what;
        settings.logger().log(level, settings.apiKey().redact(line));
      }
    } catch (RuntimeException broken) {
      // Logger errors must not affect the call.
    }
  }
}
