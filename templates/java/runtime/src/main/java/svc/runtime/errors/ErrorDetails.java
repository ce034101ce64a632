package svc.runtime.errors;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Details of an exception. */
public final class ErrorDetails {
  /** No details, for failures without a request. */
  public static final ErrorDetails NONE = builder().build();

  private final OptionalInt status;
  private final Optional<String> code;
  private final HttpHeaders headers;
  private final Optional<String> body;
  private final Optional<String> executionId;
  private final Optional<Duration> retryAfter;
  private final int attempts;
  private final Optional<String> idempotencyKey;

  private ErrorDetails(Builder builder) {
    status = builder.status;
    code = builder.code;
    headers = builder.headers;
    body = builder.body;
    executionId = builder.executionId;
    retryAfter = builder.retryAfter;
    attempts = builder.attempts;
    idempotencyKey = builder.idempotencyKey;
  }

  /**
   * Creates a builder.
   *
   * @return an empty builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Creates details with an execution id only.
   *
   * @param executionId the id of the execution that the call created
   * @return the details
   */
  public static ErrorDetails ofExecution(String executionId) {
    return builder().executionId(executionId).build();
  }

  /**
   * Returns the HTTP status code.
   *
   * @return the status code, empty if there was no response
   */
  public OptionalInt status() {
    return status;
  }

  /**
   * Returns the error code of the service, such as {@code quota_exceeded}.
   *
   * @return the code, empty if the service did not send one
   */
  public Optional<String> code() {
    return code;
  }

  /**
   * Returns the response headers.
   *
   * @return the headers, empty if there was no response
   */
  public HttpHeaders headers() {
    return headers;
  }

  /**
   * Returns the id of the request in the logs of the service: the header {@code X-Request-Id}.
   *
   * @return the id, empty if the service did not send it
   */
  public Optional<String> requestId() {
    return headers.firstValue("x-request-id").filter(id -> !id.isEmpty());
  }

  /**
   * Returns the response body.
   *
   * @return the body, empty if there was no response
   */
  public Optional<String> body() {
    return body;
  }

  /**
   * Returns the id of the execution that the call created.
   *
   * @return the id, empty if it is unknown
   */
  public Optional<String> executionId() {
    return executionId;
  }

  /**
   * Returns the time to wait before the next attempt.
   *
   * @return the time, empty if the service did not send it
   */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /**
   * Returns the number of attempts of the request that failed, including the first.
   *
   * @return the number, 0 if no request was sent
   */
  public int attempts() {
    return attempts;
  }

  /**
   * Returns the key that was sent with every attempt, or that started the run that the call waited
   * for.
   *
   * @return the key, empty for reads and if no request was sent
   */
  public Optional<String> idempotencyKey() {
    return idempotencyKey;
  }

  /** Builds details. */
  public static final class Builder {
    private OptionalInt status = OptionalInt.empty();
    private Optional<String> code = Optional.empty();
    private HttpHeaders headers = HttpHeaders.of(Map.of(), (name, value) -> true);
    private Optional<String> body = Optional.empty();
    private Optional<String> executionId = Optional.empty();
    private Optional<Duration> retryAfter = Optional.empty();
    private int attempts;
    private Optional<String> idempotencyKey = Optional.empty();

    private Builder() {}

    /**
     * Sets the HTTP status code.
     *
     * @param status the status code
     * @return this
     */
    public Builder status(int status) {
      this.status = OptionalInt.of(status);
      return this;
    }

    /**
     * Sets the error code of the service.
     *
     * @param code the code
     * @return this
     */
    public Builder code(String code) {
      return code(Optional.of(Objects.requireNonNull(code, "code")));
    }

    /**
     * Sets the error code of the service.
     *
     * @param code the code, empty for none
     * @return this
     */
    public Builder code(Optional<String> code) {
      this.code = Objects.requireNonNull(code, "code");
      return this;
    }

    /**
     * Sets the response headers.
     *
     * @param headers the headers
     * @return this
     */
    public Builder headers(HttpHeaders headers) {
      this.headers = Objects.requireNonNull(headers, "headers");
      return this;
    }

    /**
     * Sets the response body.
     *
     * @param body the body
     * @return this
     */
    public Builder body(String body) {
      return body(Optional.of(Objects.requireNonNull(body, "body")));
    }

    /**
     * Sets the response body.
     *
     * @param body the body, empty for none
     * @return this
     */
    public Builder body(Optional<String> body) {
      this.body = Objects.requireNonNull(body, "body");
      return this;
    }

    /**
     * Sets the id of the execution that the call created.
     *
     * @param executionId the id
     * @return this
     */
    public Builder executionId(String executionId) {
      return executionId(Optional.of(Objects.requireNonNull(executionId, "executionId")));
    }

    /**
     * Sets the id of the execution that the call created.
     *
     * @param executionId the id, empty for none
     * @return this
     */
    public Builder executionId(Optional<String> executionId) {
      this.executionId = Objects.requireNonNull(executionId, "executionId");
      return this;
    }

    /**
     * Sets the time to wait before the next attempt.
     *
     * @param retryAfter the time
     * @return this
     */
    public Builder retryAfter(Duration retryAfter) {
      return retryAfter(Optional.of(Objects.requireNonNull(retryAfter, "retryAfter")));
    }

    /**
     * Sets the time to wait before the next attempt.
     *
     * @param retryAfter the time, empty for none
     * @return this
     */
    public Builder retryAfter(Optional<Duration> retryAfter) {
      this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter");
      return this;
    }

    /**
     * Sets the number of attempts.
     *
     * @param attempts the number
     * @return this
     */
    public Builder attempts(int attempts) {
      this.attempts = attempts;
      return this;
    }

    /**
     * Sets the key that was sent with every attempt.
     *
     * @param idempotencyKey the key
     * @return this
     */
    public Builder idempotencyKey(String idempotencyKey) {
      return idempotencyKey(Optional.of(Objects.requireNonNull(idempotencyKey, "idempotencyKey")));
    }

    /**
     * Sets the key that was sent with every attempt.
     *
     * @param idempotencyKey the key, empty for none
     * @return this
     */
    public Builder idempotencyKey(Optional<String> idempotencyKey) {
      this.idempotencyKey = Objects.requireNonNull(idempotencyKey, "idempotencyKey");
      return this;
    }

    /**
     * Builds the details.
     *
     * @return the details
     */
    public ErrorDetails build() {
      return new ErrorDetails(this);
    }
  }
}
