package svc.runtime.core;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import svc.runtime.errors.AppKeyGraphDeniedException;
import svc.runtime.errors.BadRequestException;
import svc.runtime.errors.CallTimedOutException;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.ForbiddenException;
import svc.runtime.errors.IdempotencyMismatchException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.NotFoundException;
import svc.runtime.errors.PayloadTooLargeException;
import svc.runtime.errors.QuotaExceededException;
import svc.runtime.errors.RateLimitedException;
import svc.runtime.errors.ServerException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.errors.TenantSuspendedException;
import svc.runtime.errors.UnauthorizedException;
import svc.runtime.errors.UpstreamUnavailableException;
import svc.runtime.internal.RawObject;

/** Maps responses to exceptions. */
final class Failures {
  /** Maximum length of a non-JSON body in an error message. */
  private static final int LONGEST_REASON = 500;

  /** The status of an open WebSocket, which says nothing about its messages. */
  private static final int SWITCHING_PROTOCOLS = 101;

  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  /**
   * Messages of the JDK for a connection that ended, with what it was reading or could not write
   * to.
   */
  private static final Pattern ENDED =
      Pattern.compile(
          "EOF reached while reading|closed output|Output closed|HTTP/1\\.1 header parser received"
              + " no bytes|(parsing HTTP/1\\.1 |fixed content-length: |chunked transfer encoding,"
              + " state: ).*",
          Pattern.DOTALL);

  /** Messages of the JDK for a connection that was lost. */
  private static final Pattern LOSS =
      Pattern.compile(ENDED.pattern() + "|(Connection reset|Broken pipe).*", Pattern.DOTALL);

  private Failures() {}

  /**
   * Returns the exception for a response with an error status.
   *
   * @param note a note at the end of its message
   */
  static StatusException ofStatus(Received response, String note) {
    Optional<RawObject> fields = RawObject.tryParse(response.body());
    Optional<String> family = fields.flatMap(Failures::family);
    Optional<String> code = fields.flatMap(each -> each.text("code")).or(() -> family);
    Optional<String> executionId =
        response
            .executionId()
            .or(() -> fields.flatMap(each -> each.text("execution_id")))
            .map(response.key()::redact);
    ErrorDetails details =
        response
            .details()
            .code(code.map(response.key()::redact))
            .executionId(executionId)
            .retryAfter(retryAfter(response, fields))
            .build();
    String reason =
        redirection(response)
                .or(() -> proxyRefusal(response))
                .orElseGet(() -> reason(fields, response))
            + origin("HTTP " + response.status(), executionId, response.raw().requestId())
            + note;
    return ofStatus(response.status(), family.orElse(""), response.key().redact(reason), details);
  }

  /** Returns the exception for a response to a different request with the same idempotency key. */
  static IdempotencyMismatchException mismatch(Received response, String difference) {
    List<String> parts =
        Arrays.stream(difference.split(",")).map(String::strip).map(Failures::partOf).toList();
    Optional<String> executionId =
        response
            .headerOfExecution()
            .or(
                () ->
                    RawObject.tryParse(response.body()).flatMap(each -> each.text("execution_id")));
    String message =
        "the idempotency key belongs to an earlier request that differs in its "
            + String.join(" and ", parts)
            + origin("", executionId, response.raw().requestId());
    return new IdempotencyMismatchException(
        response.key().redact(message), response.details().executionId(executionId).build());
  }

  private static String partOf(String name) {
    return switch (name) {
      case "graph_id" -> "flow";
      case "execution_id" -> "execution";
      default -> name;
    };
  }

  /**
   * Returns the origin of a failure for the end of its message, in parentheses; empty if nothing is
   * known.
   *
   * @param status the status; empty if the message does not show it
   */
  static String origin(String status, Optional<String> executionId, Optional<String> requestId) {
    String parts =
        Stream.of(
                status,
                executionId.map(id -> "execution " + id).orElse(""),
                requestId.map(id -> "request " + id).orElse(""))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
    return parts.isEmpty() ? "" : " (" + parts + ")";
  }

  /**
   * Returns the error class, which determines the type of an exception: the class in {@code error},
   * or else {@code code}, because {@code error} can be a sentence.
   */
  private static Optional<String> family(RawObject fields) {
    return fields.text("error").filter(said -> said.matches("\\S+")).or(() -> fields.text("code"));
  }

  /**
   * Returns the reason for a redirect. Redirects are not followed, so that the API key is sent to
   * no other service.
   */
  private static Optional<String> redirection(Received response) {
    return response.status() < 300 || response.status() > 399
        ? Optional.empty()
        : response
            .raw()
            .headers()
            .firstValue("location")
            .map(address -> "the service redirects to " + address + "; check the base URL");
  }

  /** Returns the reason for a status by which only a proxy asks for authentication. */
  private static Optional<String> proxyRefusal(Received response) {
    return response.status() == PROXY_AUTHENTICATION_REQUIRED
        ? Optional.of(
            "the proxy refused the request: it requires a valid user and password;"
                + " see \"Transport and logs\" in the README")
        : Optional.empty();
  }

  /**
   * Returns the exception for a request that had no response.
   *
   * @param note a note at the end of its message
   */
  static SvcException unreachable(
      Settings settings, Throwable failure, ErrorDetails details, String note) {
    if (isOfAuthenticator(failure)) {
      return new ConfigurationException(
          "the HTTP client has an authenticator, and this JDK then does not send the API key: pass"
              + " a client without one; for the password of a proxy, see \"Transport and logs\" in"
              + " the README",
          settings.apiKey().redact(failure));
    }
    return new ConnectionException(
        problemOf(failure)
            + settings.baseUrl()
            + ": "
            + reasonOf(failure, settings.apiKey())
            + note,
        details,
        settings.apiKey().redact(failure));
  }

  /** Returns the problem of a request without a response, as text that precedes the URL. */
  private static String problemOf(Throwable failure) {
    if (failure instanceof ProtocolException) {
      return "invalid HTTP response from the service at ";
    }
    return lossOf(failure).isPresent()
        ? "no response from the service at "
        : "cannot reach the service at ";
  }

  /**
   * Returns the exception for a request for which the provider of the API key failed.
   *
   * @param note a note at the end of its message
   */
  static ConnectionException keyless(
      Settings settings, Throwable failure, ErrorDetails details, String note) {
    boolean isLate = failure instanceof TimeoutException && failure.getMessage() == null;
    String what =
        isLate
            ? "the provider of the API key did not return it in time"
            : "the provider of the API key failed: " + reasonOf(failure, settings.apiKey());
    return new ConnectionException(what + note, details, settings.apiKey().redact(failure));
  }

  /**
   * Reports whether the JDK, as JDK 17 does, dropped the API key in favour of an authenticator, and
   * then failed because the rejection lacked a header. JDKs that send the key do not look for that
   * header.
   */
  private static boolean isOfAuthenticator(Throwable failure) {
    String message = failure.getMessage();
    return failure instanceof IOException
        && message != null
        && message.startsWith("WWW-Authenticate header missing");
  }

  /**
   * Returns the exception for a request that had no response within the timeout of an attempt.
   *
   * @param timeout the timeout
   * @param note a note at the end of its message
   */
  static ConnectionException late(Duration timeout, ErrorDetails details, String note) {
    HttpTimeoutException cause = lateness(timeout);
    return new ConnectionException(cause.getMessage() + note, details, cause);
  }

  /**
   * Reports whether the caller's transport gave up a request after its own timeout. The client of
   * the JDK also throws {@link HttpTimeoutException} if a connection is established just after its
   * connect timeout. That counts as a lost connection, not as a timeout.
   */
  static boolean isTimeout(Settings settings, Throwable failure) {
    return failure instanceof TimeoutException
        || failure instanceof HttpTimeoutException
            && !(failure instanceof HttpConnectTimeoutException)
            && !(settings.transport() instanceof HttpTransport);
  }

  /**
   * Reports whether a failure is one of the connection. Other exceptions of the caller's transport
   * are bugs in it, which the caller receives unchanged.
   */
  static boolean isOfConnection(Settings settings, Throwable failure) {
    return failure instanceof IOException
        || failure instanceof UncheckedIOException
        || failure instanceof TimeoutException
        || settings.transport() instanceof HttpTransport && !(failure instanceof SvcException);
  }

  /** Returns the exception for a request that exceeded a timeout of the transport. */
  static CallTimedOutException timedOut(
      Settings settings, Throwable failure, ErrorDetails details) {
    return new CallTimedOutException(
        "the call did not complete within the timeout of its transport: "
            + reasonOf(failure, settings.apiKey())
            + origin("", Optional.empty(), details.requestId()),
        details,
        settings.apiKey().redact(failure));
  }

  /** Returns the cause of an exception for an attempt that exceeded its timeout. */
  static HttpTimeoutException lateness(Duration timeout) {
    return new HttpTimeoutException(
        "the attempt did not complete within its timeout of " + timeout.toMillis() + " ms");
  }

  /** Returns the exception for a request that the HTTP client rejects. */
  static ConfigurationException unsendable(Settings settings, IllegalArgumentException refused) {
    return new ConfigurationException(
        "cannot send the request: " + reasonOf(refused, settings.apiKey()),
        settings.apiKey().redact(refused));
  }

  /** Returns the exception for an invalid successful response. */
  static InvalidResponseException invalidResponse(Received response, String reason) {
    return new InvalidResponseException(invalid(response, reason), response.details().build());
  }

  /** Returns the exception for an invalid successful response. */
  static InvalidResponseException invalidResponse(
      Received response, String reason, Throwable cause) {
    return new InvalidResponseException(
        invalid(response, reason), response.details().build(), response.key().redact(cause));
  }

  private static String invalid(Received response, String reason) {
    String status = response.status() == SWITCHING_PROTOCOLS ? "" : "HTTP " + response.status();
    String origin = origin(status, response.executionId(), response.raw().requestId());
    return response.key().redact("invalid response: " + reason + origin);
  }

  /** Returns the exception for a failed run, with the error message of the run. */
  static FlowFailedException flowFailed(
      Optional<String> reason, String executionId, Received response) {
    String message =
        reason.orElse("no error message")
            + origin("", Optional.of(executionId), response.raw().requestId());
    return new FlowFailedException(
        response.key().redact(message), response.details().executionId(executionId).build());
  }

  /**
   * Returns how an established connection was lost; empty for other failures. The innermost
   * exception of the JDK says this, while the outer ones say what was being parsed.
   */
  private static Optional<String> lossOf(Throwable failure) {
    boolean isLost = false;
    String innermost = "";
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SSLHandshakeException) {
        return Optional.empty();
      }
      innermost = Objects.requireNonNullElse(each.getMessage(), "");
      isLost |= each instanceof EOFException || LOSS.matcher(innermost).matches();
    }
    if (!isLost) {
      return Optional.empty();
    }
    boolean isPlain = !innermost.isEmpty() && !ENDED.matcher(innermost).matches();
    return Optional.of(isPlain ? innermost : "the connection ended");
  }

  /** Returns the most specific message. The JDK gives none for a connection that it cannot make. */
  static String reasonOf(Throwable failure, Secret key) {
    Optional<String> loss = lossOf(failure);
    if (loss.isPresent()) {
      return key.redact(loss.get());
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException) {
        return "unknown host";
      }
      if (each.getMessage() != null && !each.getMessage().isEmpty()) {
        return key.redact(each.getMessage());
      }
    }
    if (failure instanceof ConnectException) {
      return "connection refused";
    }
    return failure instanceof IOException
        ? failure.getClass().getSimpleName()
        : key.redact(failure.toString());
  }

  private static Optional<Duration> retryAfter(Received response, Optional<RawObject> fields) {
    return response
        .raw()
        .headers()
        .firstValue("retry-after")
        .flatMap(text -> RetryPolicy.parseRetryAfter(text, ZonedDateTime.now(ZoneOffset.UTC)))
        .or(
            () ->
                fields
                    .flatMap(each -> each.number("retry_after_seconds"))
                    .flatMap(RetryPolicy::seconds));
  }

  private static String reason(Optional<RawObject> fields, Received response) {
    for (String key : new String[] {"error_message", "message", "error"}) {
      Optional<String> text = fields.flatMap(each -> each.text(key));
      if (text.isPresent()) {
        return text.get();
      }
    }
    // Redact before truncating, so that no part of the key is left at the end.
    String text = response.key().redact(response.body()).strip();
    if (text.isEmpty() || text.equals("{}")) {
      return "no error message";
    }
    if (text.length() <= LONGEST_REASON) {
      return text;
    }
    // Keeps surrogate pairs intact.
    int end = Character.isHighSurrogate(text.charAt(LONGEST_REASON - 1)) ? 1 : 0;
    return text.substring(0, LONGEST_REASON - end);
  }

  /** Returns a transient failure with a note at the end of its message. */
  static SvcException noted(SvcException failure, String note) {
    String message = failure.getMessage() + note;
    ErrorDetails details = failure.details();
    if (failure instanceof StatusException) {
      return ofStatus(failure.status().orElseThrow(), failure.code().orElse(""), message, details);
    }
    Throwable cause = failure.getCause();
    if (failure instanceof StreamInterruptedException) {
      return cause == null
          ? new StreamInterruptedException(message, details)
          : new StreamInterruptedException(message, details, cause);
    }
    return cause == null
        ? new ConnectionException(message, details)
        : new ConnectionException(message, details, cause);
  }

  private static StatusException ofStatus(
      int status, String family, String message, ErrorDetails details) {
    return switch (status) {
      case 400 -> new BadRequestException(message, details);
      case 401 -> new UnauthorizedException(message, details);
      case 403 ->
          switch (family) {
            case "tenant_suspended" -> new TenantSuspendedException(message, details);
            case "app_key_graph_denied" -> new AppKeyGraphDeniedException(message, details);
            default -> new ForbiddenException(message, details);
          };
      case 404 -> new NotFoundException(message, details);
      case 413 -> new PayloadTooLargeException(message, details);
      case 422 -> new NodeFailedException(message, details);
      case 429 ->
          family.equals("quota_exceeded")
              ? new QuotaExceededException(message, details)
              : new RateLimitedException(message, details);
      case 502, 503, 504 -> new UpstreamUnavailableException(message, details);
      default ->
          status >= 500
              ? new ServerException(message, details)
              : new StatusException(message, details);
    };
  }
}
