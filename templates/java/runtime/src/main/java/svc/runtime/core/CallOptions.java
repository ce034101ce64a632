package svc.runtime.core;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.errors.IdempotencyMismatchException;

/** Options of one call. They override those of the client. */
public final class CallOptions {
  private static final CallOptions NONE = new CallOptions(new Builder());

  final Duration timeout;
  final boolean isTimeoutSet;
  final Duration attemptTimeout;
  final Integer maxRetries;
  final Map<String, String> headers;
  final String idempotencyKey;
  final Consumer<ServiceResponse> onResponse;

  /** The thread that waits for the end, or null. */
  final WaitingThread waiting;

  private CallOptions(Builder builder) {
    timeout = builder.timeout;
    isTimeoutSet = builder.isTimeoutSet;
    attemptTimeout = builder.attemptTimeout;
    maxRetries = builder.maxRetries;
    headers = builder.headers.copy();
    idempotencyKey = builder.idempotencyKey;
    onResponse = builder.onResponse;
    waiting = null;
  }

  private CallOptions(
      CallOptions options, WaitingThread waiting, Consumer<ServiceResponse> onResponse) {
    timeout = options.timeout;
    isTimeoutSet = options.isTimeoutSet;
    attemptTimeout = options.attemptTimeout;
    maxRetries = options.maxRetries;
    headers = options.headers;
    idempotencyKey = options.idempotencyKey;
    this.onResponse = onResponse;
    this.waiting = waiting;
  }

  /**
   * Returns empty options, which use the settings of the client.
   *
   * @return the options
   */
  public static CallOptions none() {
    return NONE;
  }

  /** Returns the same options for a waiting thread. */
  CallOptions waitedForBy(WaitingThread thread) {
    return new CallOptions(this, thread, onResponse);
  }

  /** Returns the same options with another listener for responses, which is called first. */
  CallOptions listening(Consumer<ServiceResponse> listener) {
    return new CallOptions(this, waiting, listener.andThen(onResponse));
  }

  /**
   * Creates a builder.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Creates a builder with these options.
   *
   * @return a builder
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.timeout = timeout;
    builder.isTimeoutSet = isTimeoutSet;
    builder.attemptTimeout = attemptTimeout;
    builder.maxRetries = maxRetries;
    builder.headers.setAll(headers);
    builder.idempotencyKey = idempotencyKey;
    builder.onResponse = onResponse;
    return builder;
  }

  /** Shows the options that are set. Of headers, only the names are shown. */
  @Override
  public String toString() {
    return new Shown("CallOptions")
        .with("timeout", isTimeoutSet && timeout == null ? "none" : timeout)
        .with("attemptTimeout", attemptTimeout)
        .with("maxRetries", maxRetries)
        .with("headers", headers.isEmpty() ? null : headers.keySet())
        .with("idempotencyKey", idempotencyKey)
        .toString();
  }

  /** Builds options. */
  public static final class Builder {
    private Duration timeout;
    private boolean isTimeoutSet;
    private Duration attemptTimeout;
    private Integer maxRetries;
    private final Headers headers = new Headers();
    private String idempotencyKey;
    private Consumer<ServiceResponse> onResponse = response -> {};

    private Builder() {}

    /**
     * Sets the timeout of the call, retries included.
     *
     * @param timeout the timeout
     * @return this
     * @throws ConfigurationException if it is not greater than 0
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Checks.timeout(timeout);
      isTimeoutSet = true;
      return this;
    }

    /**
     * Disables the timeout of the call.
     *
     * @return this
     */
    public Builder noTimeout() {
      timeout = null;
      isTimeoutSet = true;
      return this;
    }

    /**
     * Sets the timeout of each attempt, so that a request that hangs is retried within the timeout
     * of the call.
     *
     * @param timeout the timeout
     * @return this
     * @throws ConfigurationException if it is not greater than 0
     */
    public Builder attemptTimeout(Duration timeout) {
      attemptTimeout = Checks.attemptTimeout(timeout);
      return this;
    }

    /**
     * Sets the maximum number of retries.
     *
     * @param retries the number
     * @return this
     * @throws ConfigurationException if it is negative
     */
    public Builder maxRetries(int retries) {
      maxRetries = Checks.maxRetries(retries);
      return this;
    }

    /**
     * Sets a header. It replaces an earlier header of the same name, ignoring case, and that of the
     * client. The SDK appends its own name to a {@code User-Agent}.
     *
     * @param name its name
     * @param value its value
     * @return this
     * @throws ConfigurationException if it contains characters other than visible ASCII, or if the
     *     SDK sets it
     */
    public Builder header(String name, String value) {
      headers.set(name, value);
      return this;
    }

    /**
     * Sets the idempotency key: the service starts at most one run of a flow per key within five
     * minutes. A call with the key of a different, earlier request fails with an {@link
     * IdempotencyMismatchException}. Calls of nodes and streams ignore the key, so a retry may call
     * a node twice. Defaults to a random key.
     *
     * @param key the key
     * @return this
     * @throws ConfigurationException if it contains characters other than visible ASCII
     */
    public Builder idempotencyKey(String key) {
      idempotencyKey = Checks.idempotencyKey(key);
      return this;
    }

    /**
     * Sets a listener for responses, including error responses. It receives the status, headers and
     * body before the call ends. For a stream, it is called when the response begins, with an empty
     * body. Its exceptions are logged and otherwise ignored.
     *
     * @param listener receives the responses
     * @return this
     */
    public Builder onResponse(Consumer<ServiceResponse> listener) {
      onResponse = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Builds the options.
     *
     * @return the options
     */
    public CallOptions build() {
      return new CallOptions(this);
    }
  }
}
