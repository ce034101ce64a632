package svc.runtime.errors;

import java.io.Serializable;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The details of an exception in serializable types.
 *
 * @param status null if there was no response
 * @param code null if there is none
 * @param headers the response headers
 * @param body null if there was no response
 * @param executionId null if it is not known
 * @param retryAfter null if the service did not send it
 * @param attempts the number of attempts
 * @param idempotencyKey null if there is none
 */
record SavedDetails(
    Integer status,
    String code,
    Map<String, List<String>> headers,
    String body,
    String executionId,
    Duration retryAfter,
    int attempts,
    String idempotencyKey)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static SavedDetails of(ErrorDetails details) {
    return new SavedDetails(
        details.status().isPresent() ? details.status().getAsInt() : null,
        details.code().orElse(null),
        details.headers().map(),
        details.body().orElse(null),
        details.executionId().orElse(null),
        details.retryAfter().orElse(null),
        details.attempts(),
        details.idempotencyKey().orElse(null));
  }

  ErrorDetails details() {
    ErrorDetails.Builder builder =
        ErrorDetails.builder()
            .code(Optional.ofNullable(code))
            .headers(HttpHeaders.of(headers, (name, value) -> true))
            .body(Optional.ofNullable(body))
            .executionId(Optional.ofNullable(executionId))
            .retryAfter(Optional.ofNullable(retryAfter))
            .attempts(attempts)
            .idempotencyKey(Optional.ofNullable(idempotencyKey));
    if (status != null) {
      builder.status(status);
    }
    return builder.build();
  }
}
