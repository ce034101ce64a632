package svc.runtime.core;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import svc.runtime.errors.ConfigurationException;

/** What holds for one call instead of what holds for its client. */
public final class CallOptions {
  private static final CallOptions NONE = new CallOptions(new Builder());
  private static final CallOptions NONE_BLOCKING = new CallOptions(NONE);

  final Duration timeout;
  final boolean isTimeoutSet;
  final Integer maxRetries;
  final Map<String, String> headers;
  final String idempotencyKey;
  final Consumer<RawAnswer> onAnswer;

  /** Whether the thread that makes the call waits for its end. */
  final boolean isBlocking;

  private CallOptions(Builder builder) {
    timeout = builder.timeout;
    isTimeoutSet = builder.isTimeoutSet;
    maxRetries = builder.maxRetries;
    headers = Map.copyOf(builder.headers);
    idempotencyKey = builder.idempotencyKey;
    onAnswer = builder.onAnswer;
    isBlocking = false;
  }

  /** The options for a thread that waits. */
  private CallOptions(CallOptions options) {
    timeout = options.timeout;
    isTimeoutSet = options.isTimeoutSet;
    maxRetries = options.maxRetries;
    headers = options.headers;
    idempotencyKey = options.idempotencyKey;
    onAnswer = options.onAnswer;
    isBlocking = true;
  }

  /**
   * Gives no options: what holds for the client holds for the call.
   *
   * @return the options
   */
  public static CallOptions none() {
    return NONE;
  }

  /** Gives the same options for a call whose thread waits for its end. */
  CallOptions blocking() {
    return this == NONE ? NONE_BLOCKING : new CallOptions(this);
  }

  /** Tells whether these options say nothing. */
  boolean areNone() {
    return this == NONE || this == NONE_BLOCKING;
  }

  /**
   * Begins options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects options. */
  public static final class Builder {
    private Duration timeout;
    private boolean isTimeoutSet;
    private Integer maxRetries;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String idempotencyKey;
    private Consumer<RawAnswer> onAnswer = answer -> {};

    private Builder() {}

    /**
     * Bounds the whole call, its retries and waits included.
     *
     * @param timeout the bound
     * @return this
     * @throws ConfigurationException when it is not more than 0
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Checks.timeout(timeout);
      isTimeoutSet = true;
      return this;
    }

    /**
     * Lets the call take as long as it takes.
     *
     * @return this
     */
    public Builder noTimeout() {
      timeout = null;
      isTimeoutSet = true;
      return this;
    }

    /**
     * Sets how often the call is tried again.
     *
     * @param retries the number
     * @return this
     * @throws ConfigurationException when it is less than 0
     */
    public Builder maxRetries(int retries) {
      maxRetries = Checks.maxRetries(retries);
      return this;
    }

    /**
     * Sends a further header. The headers that the SDK sends itself cannot be replaced.
     *
     * @param name its name
     * @param value its value
     * @return this
     * @throws ConfigurationException when it is not visible ASCII
     */
    public Builder header(String name, String value) {
      Checks.header(name, value);
      headers.put(name, value);
      return this;
    }

    /**
     * Names the call, so that the service makes it once however often it is sent. Without it, each
     * call has a random key.
     *
     * @param key the key
     * @return this
     * @throws ConfigurationException when it is not visible ASCII
     */
    public Builder idempotencyKey(String key) {
      idempotencyKey = Checks.idempotencyKey(key);
      return this;
    }

    /**
     * Is told each answer with its status, headers and body, refusals included, before the call
     * ends.
     *
     * @param listener what is told
     * @return this
     */
    public Builder onAnswer(Consumer<RawAnswer> listener) {
      onAnswer = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Completes the options.
     *
     * @return the options
     */
    public CallOptions build() {
      return new CallOptions(this);
    }
  }
}
