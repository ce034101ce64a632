package svc.runtime.core;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import svc.runtime.errors.ConfigurationException;
import svc.runtime.internal.Access;

/** Options of a client. Their defaults are documented on the builder. */
public final class ClientOptions {
  static {
    Access.grant(new CoreAccess());
  }

  final String apiKey;
  final ApiKeyProvider apiKeys;
  final String baseUrl;
  final Duration timeout;
  final boolean isTimeoutSet;
  final Duration attemptTimeout;
  final Duration connectTimeout;
  final int maxRetries;
  final int retryBudget;
  final Duration firstDelay;
  final Duration longestDelay;
  final Map<String, String> headers;
  final Transport transport;
  final System.Logger logger;

  private ClientOptions(Builder builder) {
    apiKey = builder.apiKey;
    apiKeys = builder.apiKeys;
    baseUrl = builder.baseUrl;
    timeout = builder.timeout;
    isTimeoutSet = builder.isTimeoutSet;
    attemptTimeout = builder.attemptTimeout;
    connectTimeout = builder.connectTimeout;
    maxRetries = builder.maxRetries;
    retryBudget = builder.retryBudget;
    firstDelay = builder.firstDelay;
    longestDelay = builder.longestDelay;
    headers = builder.headers.copy();
    transport = builder.transport;
    logger = builder.logger;
  }

  /**
   * Returns the default options.
   *
   * @return the options
   */
  public static ClientOptions defaults() {
    return builder().build();
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
    builder.apiKey = apiKey;
    builder.apiKeys = apiKeys;
    builder.baseUrl = baseUrl;
    builder.timeout = timeout;
    builder.isTimeoutSet = isTimeoutSet;
    builder.attemptTimeout = attemptTimeout;
    builder.connectTimeout = connectTimeout;
    builder.maxRetries = maxRetries;
    builder.retryBudget = retryBudget;
    builder.firstDelay = firstDelay;
    builder.longestDelay = longestDelay;
    builder.headers.setAll(headers);
    builder.transport = transport;
    builder.logger = logger;
    return builder;
  }

  /**
   * Shows the options that differ from the defaults. Of headers, only the names are shown, and the
   * API key never is.
   */
  @Override
  public String toString() {
    Builder defaults = new Builder();
    boolean isDelaySet =
        !firstDelay.equals(defaults.firstDelay) || !longestDelay.equals(defaults.longestDelay);
    return new Shown("ClientOptions")
        .with("baseUrl", baseUrl == null ? null : Checks.shownUrl(baseUrl))
        .with("timeout", timeout == null ? "none" : timeout, isTimeoutSet ? null : timeout)
        .with("attemptTimeout", attemptTimeout)
        .with("connectTimeout", connectTimeout, defaults.connectTimeout)
        .with("maxRetries", maxRetries, defaults.maxRetries)
        .with("retryBudget", retryBudget, defaults.retryBudget)
        .with("retryDelay", isDelaySet ? firstDelay + " to " + longestDelay : null)
        .with("headers", headers.isEmpty() ? null : headers.keySet())
        .toString();
  }

  /** Builds options. */
  public static final class Builder {
    private String apiKey;
    private ApiKeyProvider apiKeys;
    private String baseUrl;
    private Duration timeout = Duration.ofSeconds(60);
    private boolean isTimeoutSet;
    private Duration attemptTimeout;
    private Duration connectTimeout = HttpTransport.CONNECT_TIMEOUT;
    private int maxRetries = 2;
    private int retryBudget = 100;
    private Duration firstDelay = Duration.ofMillis(500);
    private Duration longestDelay = Duration.ofSeconds(8);
    private final Headers headers = new Headers();
    private Transport transport;
    private System.Logger logger;

    private Builder() {}

    /**
     * Sets the API key. Defaults to the {@code SVC_API_KEY} environment variable.
     *
     * @param key the key
     * @return this
     */
    public Builder apiKey(String key) {
      apiKey = Objects.requireNonNull(key, "key");
      apiKeys = null;
      return this;
    }

    /**
     * Sets a supplier of the API key, for example one that expires. The client keeps a key until
     * the service rejects it with 401, then asks for another key and resends the request. The
     * supplier is called on a thread of the SDK and may block. If it throws an exception, or does
     * not return within 30 seconds, calls are retried as after a failed connection.
     *
     * @param keys the supplier
     * @return this
     */
    public Builder apiKey(Supplier<String> keys) {
      Objects.requireNonNull(keys, "keys");
      return apiKeyProvider(refused -> CompletableFuture.completedFuture(keys.get()));
    }

    /**
     * Sets a provider of the API key, which may be asynchronous and is told which key was rejected.
     *
     * @param keys the provider
     * @return this
     */
    public Builder apiKeyProvider(ApiKeyProvider keys) {
      apiKeys = Objects.requireNonNull(keys, "keys");
      apiKey = null;
      return this;
    }

    /**
     * Sets the URL of the service, such as {@code https://svc.example.com}. Defaults to the {@code
     * SVC_BASE_URL} environment variable.
     *
     * @param url the URL
     * @return this
     */
    public Builder baseUrl(String url) {
      baseUrl = Objects.requireNonNull(url, "url");
      return this;
    }

    /**
     * Sets the timeout of a call, retries included. Defaults to 60 seconds, and to five minutes for
     * a stream.
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
     * Disables the timeout of calls.
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
     * of the call. By default, only the timeout of the call applies. A call that runs a flow waits
     * up to 50 seconds for it in one attempt.
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
     * Sets the time within which the built-in transport must establish a connection. Exceeding it
     * is a connection error, which is retried. An {@link #httpClient} or {@link #transport} has its
     * own timeout. Defaults to 10 seconds.
     *
     * @param timeout the timeout
     * @return this
     * @throws ConfigurationException if it is not greater than 0
     */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = Checks.connectTimeout(timeout);
      return this;
    }

    /**
     * Sets the number of retries that the client has in reserve, so that it does not overload a
     * failing service. Each retry takes one. A call that succeeds by a retry returns one, and any
     * other successful call returns a tenth of one, up to this number. Statuses 429 with {@code
     * Retry-After}, waiting for a run and reconnecting take none. Defaults to 100.
     *
     * @param retries the number; 0 for no retries
     * @return this
     * @throws ConfigurationException if it is negative
     */
    public Builder retryBudget(int retries) {
      retryBudget = Checks.maxRetries(retries);
      return this;
    }

    /**
     * Sets the maximum number of retries after connection errors and the statuses 408, 429 and 5xx.
     * Statuses 429 with {@code Retry-After} do not count: unless the number is 0, such calls are
     * retried until their timeout, if {@code Retry-After} is at most one minute. Defaults to 2.
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
     * Sets the bounds of retry delays. A delay is random between 0 and a bound that starts at
     * {@code first}, doubles with each retry and never exceeds {@code longest}. Defaults to 0.5 and
     * 8 seconds.
     *
     * @param first the maximum delay before the first retry
     * @param longest the maximum delay before any retry
     * @return this
     * @throws ConfigurationException if one is negative
     */
    public Builder retryDelay(Duration first, Duration longest) {
      firstDelay = Checks.delay(first);
      longestDelay = Checks.delay(longest);
      return this;
    }

    /**
     * Sets a header of all requests. It replaces an earlier header of the same name, ignoring case.
     * The SDK appends its own name to a {@code User-Agent}.
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
     * Sends requests through a custom client, for example for proxies, certificates or an executor.
     * The client uses its own proxies and connection timeout, not those of the environment and of
     * {@link #connectTimeout}.
     *
     * @param client the client; it should not follow redirects, so the API key only reaches the
     *     service
     * @return this
     */
    public Builder httpClient(HttpClient client) {
      return transport(Transport.of(client));
    }

    /**
     * Sends requests through a custom transport, for example one that wraps {@link
     * Transport#standard()}, or for tests without a network. Runs are followed through its {@link
     * Transport#openSocket}.
     *
     * @param transport the transport
     * @return this
     */
    public Builder transport(Transport transport) {
      this.transport = Objects.requireNonNull(transport, "transport");
      return this;
    }

    /**
     * Logs attempts at level {@code DEBUG} and retries at level {@code INFO}. The API key is never
     * logged. Exceptions of the logger are ignored.
     *
     * @param logger the logger
     * @return this
     */
    public Builder logger(System.Logger logger) {
      this.logger = Objects.requireNonNull(logger, "logger");
      return this;
    }

    /**
     * Builds the options.
     *
     * @return the options
     */
    public ClientOptions build() {
      return new ClientOptions(this);
    }
  }
}
