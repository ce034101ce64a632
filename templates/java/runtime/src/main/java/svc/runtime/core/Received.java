package svc.runtime.core;

import java.util.Optional;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.InvalidResponseException;
import svc.runtime.internal.RawObject;

/**
 * A response as the SDK reads it. Values are decoded from the original; exceptions show it
 * redacted.
 *
 * @param raw the response
 * @param key the API key, which exceptions never show
 * @param events the body of an event stream, which is not part of the response; otherwise null
 */
record Received(ServiceResponse raw, Secret key, EventBody events) {
  int status() {
    return raw.status();
  }

  String body() {
    return raw.body();
  }

  Optional<String> executionId() {
    return raw.executionId();
  }

  /** Returns the execution named in the head of the response. */
  Optional<String> headerOfExecution() {
    return raw.headers().firstValue("x-execution-id").filter(id -> !id.isEmpty());
  }

  /**
   * Returns the members of the body.
   *
   * @throws InvalidResponseException if it is not a JSON object
   */
  RawObject fields() {
    try {
      return RawObject.parse(raw.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(this, wrong.getMessage(), wrong);
    }
  }

  /** Returns the details of an exception about this response. */
  ErrorDetails.Builder details() {
    return ErrorDetails.builder()
        .status(raw.status())
        .headers(key.redact(raw.headers()))
        .body(key.redact(raw.body()))
        .executionId(raw.executionId())
        .attempts(raw.attempts())
        .idempotencyKey(raw.idempotencyKey());
  }
}
