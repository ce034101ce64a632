package svc.runtime.core;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Validated options of a client or call, with defaults applied.
 *
 * @param timeout the timeout of a call, or null for no limit
 * @param streamTimeout the timeout of a stream, or null for no limit
 * @param attemptTimeout the timeout of each attempt, or null if only the timeout of the call
 *     applies
 */
record Settings(
    Secret apiKey,
    String baseUrl,
    Duration timeout,
    Duration streamTimeout,
    Duration attemptTimeout,
    int maxRetries,
    int retryBudget,
    Duration firstDelay,
    Duration longestDelay,
    Map<String, String> headers,
    Transport transport,
    System.Logger logger,
    String idempotencyKey,
    Consumer<ServiceResponse> onResponse) {
  /** The default timeout of a stream, which is also what the service allows a node. */
  private static final Duration STREAM_TIMEOUT = Duration.ofMinutes(5);

  private static final int LEAST_RECONNECTS = 8;

  /** Validates the options of a client and reads missing ones from the environment. */
  static Settings of(ClientOptions options) {
    Secret key =
        options.apiKeys == null
            ? new Secret(Checks.apiKey(orEnvironment(options.apiKey, "SVC_API_KEY")))
            : new Secret(options.apiKeys);
    String baseUrl = Checks.baseUrl(orEnvironment(options.baseUrl, "SVC_BASE_URL"));
    return new Settings(
        key,
        baseUrl,
        options.timeout,
        options.isTimeoutSet ? options.timeout : STREAM_TIMEOUT,
        options.attemptTimeout,
        options.maxRetries,
        options.retryBudget,
        options.firstDelay,
        options.longestDelay,
        options.headers,
        options.transport == null
            ? HttpTransport.shared(options.connectTimeout)
            : options.transport,
        options.logger == null ? new SilentLogger() : options.logger,
        null,
        response -> {});
  }

  /**
   * Returns the number of consecutive lost connections that following a run or reading the output
   * of a split stream survives. At least eight of them, with their delays, cover an outage of about
   * twenty seconds.
   */
  int mostReconnects() {
    return maxRetries == 0 ? 0 : Math.max(maxRetries, LEAST_RECONNECTS);
  }

  /** Returns the settings of one call. */
  Settings with(CallOptions options) {
    return new Settings(
        apiKey,
        baseUrl,
        options.isTimeoutSet ? options.timeout : timeout,
        options.isTimeoutSet ? options.timeout : streamTimeout,
        options.attemptTimeout == null ? attemptTimeout : options.attemptTimeout,
        options.maxRetries == null ? maxRetries : options.maxRetries,
        retryBudget,
        firstDelay,
        longestDelay,
        Headers.merged(headers, options.headers),
        transport,
        logger,
        options.idempotencyKey,
        options.onResponse);
  }

  /**
   * Returns the settings of a stream.
   *
   * @param isRepeatable whether its request can be resent
   */
  Settings ofStream(boolean isRepeatable) {
    return new Settings(
        apiKey,
        baseUrl,
        streamTimeout,
        streamTimeout,
        isRepeatable ? attemptTimeout : null,
        isRepeatable ? maxRetries : 0,
        retryBudget,
        firstDelay,
        longestDelay,
        headers,
        transport,
        logger,
        idempotencyKey,
        onResponse);
  }

  private static String orEnvironment(String given, String variable) {
    return given == null ? System.getenv(variable) : given;
  }
}
