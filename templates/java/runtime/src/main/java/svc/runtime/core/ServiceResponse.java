package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.util.Objects;
import java.util.Optional;

/**
 * A response of the service as received.
 *
 * @param status the HTTP status code
 * @param headers the headers
 * @param body the body
 * @param executionId the id of the execution that the call created; empty if the service did not
 *     send it
 * @param attempts the number of attempts, including the first
 * @param idempotencyKey the key sent with every attempt, or that of the run that a read waits for;
 *     empty for other reads
 */
public record ServiceResponse(
    int status,
    HttpHeaders headers,
    String body,
    Optional<String> executionId,
    int attempts,
    Optional<String> idempotencyKey) {

  /**
   * Rejects null arguments.
   *
   * @param status the HTTP status code
   * @param headers the headers
   * @param body the body
   * @param executionId the id of the execution that the call created; empty if the service did not
   *     send it
   * @param attempts the number of attempts, including the first
   * @param idempotencyKey the key sent with every attempt, or that of the run that a read waits
   *     for; empty for other reads
   */
  public ServiceResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(executionId, "executionId");
    Objects.requireNonNull(idempotencyKey, "idempotencyKey");
  }

  /**
   * Returns the id of the request in the logs of the service: the header {@code X-Request-Id}.
   *
   * @return the id, empty if the service did not send it
   */
  public Optional<String> requestId() {
    return headers.firstValue("x-request-id").filter(id -> !id.isEmpty());
  }

  /** Shows the length of the body, which can contain secrets such as the link of a pause. */
  @Override
  public String toString() {
    return new Shown("ServiceResponse")
        .with("status", status)
        .with("executionId", executionId.orElse(null))
        .with("requestId", requestId().orElse(null))
        .with("attempts", attempts)
        .with("idempotencyKey", idempotencyKey.orElse(null))
        .with("body", body.length() + " characters")
        .toString();
  }

  /** Returns the same response with another body and execution. */
  ServiceResponse with(String otherBody, Optional<String> otherExecutionId) {
    return new ServiceResponse(
        status, headers, otherBody, otherExecutionId, attempts, idempotencyKey);
  }
}
