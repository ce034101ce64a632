package svc.runtime.core;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The options of a client or of one call, checked and completed.
 *
 * @param timeout the bound of a whole call, null for none
 */
record Settings(
    Secret apiKey,
    String baseUrl,
    Duration timeout,
    int maxRetries,
    Duration firstDelay,
    Duration longestDelay,
    Map<String, String> headers,
    Transport transport,
    System.Logger logger,
    String idempotencyKey,
    Consumer<RawAnswer> onAnswer) {

  /** Completes the options of a client by the environment. */
  static Settings of(ClientOptions options) {
    Secret key = Checks.apiKey(orEnvironment(options.apiKey, "SVC_API_KEY"));
    String baseUrl = Checks.baseUrl(orEnvironment(options.baseUrl, "SVC_BASE_URL"));
    return new Settings(
        key,
        baseUrl,
        options.timeout,
        options.maxRetries,
        options.firstDelay,
        options.longestDelay,
        options.headers,
        options.transport == null
            ? new HttpTransport(HttpClient.newHttpClient())
            : options.transport,
        options.logger == null ? new SilentLogger() : options.logger,
        null,
        answer -> {});
  }

  /** Gives what holds for one call. */
  Settings with(CallOptions options) {
    if (options.areNone()) {
      return this;
    }
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(options.headers);
    return new Settings(
        apiKey,
        baseUrl,
        options.isTimeoutSet ? options.timeout : timeout,
        options.maxRetries == null ? maxRetries : options.maxRetries,
        firstDelay,
        longestDelay,
        all,
        transport,
        logger,
        options.idempotencyKey,
        options.onAnswer);
  }

  private static String orEnvironment(String given, String variable) {
    return given == null ? System.getenv(variable) : given;
  }
}
