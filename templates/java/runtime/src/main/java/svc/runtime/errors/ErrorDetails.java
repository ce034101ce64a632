package svc.runtime.errors;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Details of an exception.
 *
 * @param status the HTTP status code
 * @param code the error code of the service, such as {@code quota_exceeded}
 * @param headers the response headers
 * @param body the response body
 * @param executionId the id of the execution that the call created
 * @param retryAfter the time to wait before the next attempt
 */
public record ErrorDetails(
    OptionalInt status,
    Optional<String> code,
    HttpHeaders headers,
    Optional<String> body,
    Optional<String> executionId,
    Optional<Duration> retryAfter) {

  /** No details, for failures without a response. */
  public static final ErrorDetails NONE =
      new ErrorDetails(
          OptionalInt.empty(),
          Optional.empty(),
          HttpHeaders.of(Map.of(), (name, value) -> true),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /**
   * Rejects null arguments.
   *
   * @param status the HTTP status code
   * @param code the error code of the service, such as {@code quota_exceeded}
   * @param headers the response headers
   * @param body the response body
   * @param executionId the id of the execution that the call created
   * @param retryAfter the time to wait before the next attempt
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
   * Creates details with an execution id only.
   *
   * @param executionId the id of the execution that the call created
   * @return the details
   */
  public static ErrorDetails ofExecution(String executionId) {
    return new ErrorDetails(
        NONE.status, NONE.code, NONE.headers, NONE.body, Optional.of(executionId), NONE.retryAfter);
  }
}
