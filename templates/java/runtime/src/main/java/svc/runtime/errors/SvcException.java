package svc.runtime.errors;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Base class of all exceptions of this SDK.
 *
 * <p>It never contains the API key. Serialization keeps the details.
 */
public class SvcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Null if an earlier release serialized the exception. */
  private final SavedDetails saved;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description; the exception adds the id of the execution if the
   *     details have one that it does not name
   * @param details further details
   */
  public SvcException(String message, ErrorDetails details) {
    super(naming(message, details));
    saved = SavedDetails.of(details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description; the exception adds the id of the execution if the
   *     details have one that it does not name
   * @param details further details
   * @param cause the cause
   */
  public SvcException(String message, ErrorDetails details, Throwable cause) {
    super(naming(message, details), Objects.requireNonNull(cause, "cause"));
    saved = SavedDetails.of(details);
  }

  /** Adds the execution to the message, unless the message already names it. */
  private static String naming(String message, ErrorDetails details) {
    return Objects.requireNonNull(details, "details")
        .executionId()
        .filter(id -> !String.valueOf(message).contains(id))
        .map(id -> message + " (execution " + id + ")")
        .orElse(message);
  }

  /**
   * Returns the details.
   *
   * @return the details
   */
  public final ErrorDetails details() {
    return saved == null ? ErrorDetails.NONE : saved.details();
  }

  /**
   * Returns the HTTP status code.
   *
   * @return the status code, empty if there was no response
   */
  public final OptionalInt status() {
    return details().status();
  }

  /**
   * Returns the error code of the service, such as {@code quota_exceeded}. If the response has no
   * code, it is {@code flow_failed} if a flow failed, {@code flow_paused} if a flow waits for a
   * decision, and {@code node_failed} if a node failed.
   *
   * @return the code, empty if there is none
   */
  public final Optional<String> code() {
    return details().code().or(this::ownCode);
  }

  /** Returns the code of an exception whose response has none. */
  Optional<String> ownCode() {
    return Optional.empty();
  }

  /**
   * Returns the response headers.
   *
   * @return the headers, empty if there was no response
   */
  public final HttpHeaders headers() {
    return details().headers();
  }

  /**
   * Returns the id of the request in the logs of the service: the header {@code X-Request-Id}.
   *
   * @return the id, empty if the service did not send it
   */
  public final Optional<String> requestId() {
    return details().requestId();
  }

  /**
   * Returns the response body.
   *
   * @return the body, empty if there was no response
   */
  public final Optional<String> body() {
    return details().body();
  }

  /**
   * Returns the id of the execution that the call created. Use it to find a paused run or to wait
   * again.
   *
   * @return the id, empty if it is unknown
   */
  public final Optional<String> executionId() {
    return details().executionId();
  }

  /**
   * Returns the time to wait before the next attempt.
   *
   * @return the time, empty if the service did not send it
   */
  public final Optional<Duration> retryAfter() {
    return details().retryAfter();
  }

  /**
   * Returns the number of attempts of the request that failed, including the first.
   *
   * @return the number, 0 if no request was sent
   */
  public final int attempts() {
    return details().attempts();
  }

  /**
   * Returns the key that was sent with every attempt, or that started the run that the call waited
   * for. Send it again to retry the call safely.
   *
   * @return the key, empty for reads and if no request was sent
   */
  public final Optional<String> idempotencyKey() {
    return details().idempotencyKey();
  }
}
