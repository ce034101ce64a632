package svc.runtime.errors;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of a failure beside its message.
 *
 * @param status the HTTP status of the answer
 * @param code the service's own stable error class, such as {@code quota_exceeded}
 * @param headers the headers of the answer
 * @param body the body of the answer
 * @param executionId the execution that the call made
 * @param retryAfter how long the service asks to wait before another attempt
 */
public record ErrorDetails(
    OptionalInt status,
    Optional<String> code,
    HttpHeaders headers,
    Optional<String> body,
    Optional<String> executionId,
    Optional<Duration> retryAfter) {

  /** Nothing is known: there was no answer. */
  public static final ErrorDetails NONE =
      new ErrorDetails(
          OptionalInt.empty(),
          Optional.empty(),
          HttpHeaders.of(Map.of(), (name, value) -> true),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /**
   * Checks that nothing is null.
   *
   * @param status the HTTP status of the answer
   * @param code the service's own stable error class, such as {@code quota_exceeded}
   * @param headers the headers of the answer
   * @param body the body of the answer
   * @param executionId the execution that the call made
   * @param retryAfter how long the service asks to wait before another attempt
   */
  public ErrorDetails {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(executionId, "executionId");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /**
   * Gives the details of a failure of which only the execution is known.
   *
   * @param executionId the execution that the call made
   * @return the details
   */
  public static ErrorDetails ofExecution(String executionId) {
    return new ErrorDetails(
        NONE.status, NONE.code, NONE.headers, NONE.body, Optional.of(executionId), NONE.retryAfter);
  }
}
