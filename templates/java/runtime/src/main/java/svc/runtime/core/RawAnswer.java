package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.util.Objects;
import java.util.Optional;

/**
 * An answer of the service as it came, without the API key.
 *
 * @param status the HTTP status
 * @param headers the headers
 * @param body the body
 * @param executionId the id under which the service recorded the execution, when it says one
 * @param attempts how often the request was sent
 * @param idempotencyKey the key that every attempt carried, empty for reads
 */
public record RawAnswer(
    int status,
    HttpHeaders headers,
    String body,
    Optional<String> executionId,
    int attempts,
    Optional<String> idempotencyKey) {

  /**
   * Checks that nothing is null.
   *
   * @param status the HTTP status
   * @param headers the headers
   * @param body the body
   * @param executionId the id under which the service recorded the execution, when it says one
   * @param attempts how often the request was sent
   * @param idempotencyKey the key that every attempt carried, empty for reads
   */
  public RawAnswer {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(executionId, "executionId");
    Objects.requireNonNull(idempotencyKey, "idempotencyKey");
  }
}
