package svc.runtime.core;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import svc.runtime.errors.ConfigurationException;

/** How a client calls. Options that are not set have the values that their setters tell. */
public final class ClientOptions {
  final String apiKey;
  final String baseUrl;
  final Duration timeout;
  final int maxRetries;
  final Duration firstDelay;
  final Duration longestDelay;
  final Map<String, String> headers;
  final Transport transport;
  final System.Logger logger;

  private ClientOptions(Builder builder) {
    apiKey = builder.apiKey;
    baseUrl = builder.baseUrl;
    timeout = builder.timeout;
    maxRetries = builder.maxRetries;
    firstDelay = builder.firstDelay;
    longestDelay = builder.longestDelay;
    headers = Map.copyOf(builder.headers);
    transport = builder.transport;
    logger = builder.logger;
  }

  /**
   * Gives the options of a client that is told nothing.
   *
   * @return the options
   */
  public static ClientOptions defaults() {
    return builder().build();
  }

  /**
   * Begins options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Shows where the options lead, never the key. */
  @Override
  public String toString() {
    return "ClientOptions[baseUrl=" + baseUrl + ", timeout=" + timeout + "]";
  }

  /** Collects options. */
  public static final class Builder {
    private String apiKey;
    private String baseUrl;
    private Duration timeout = Duration.ofSeconds(60);
    private int maxRetries = 2;
    private Duration firstDelay = Duration.ofMillis(500);
    private Duration longestDelay = Duration.ofSeconds(8);
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Transport transport;
    private System.Logger logger;

    private Builder() {}

    /**
     * Passes the API key in. Without it, {@code SVC_API_KEY} of the environment is the key.
     *
     * @param key the key
     * @return this
     */
    public Builder apiKey(String key) {
      apiKey = Objects.requireNonNull(key, "key");
      return this;
    }

    /**
     * Passes the address of the service in, such as {@code https://svc.example.com}. Without it,
     * {@code SVC_BASE_URL} of the environment is the address.
     *
     * @param url the address
     * @return this
     */
    public Builder baseUrl(String url) {
      baseUrl = Objects.requireNonNull(url, "url");
      return this;
    }

    /**
     * Bounds a whole call, its retries and waits included; 60 seconds unless set.
     *
     * @param timeout the bound
     * @return this
     * @throws ConfigurationException when it is not more than 0
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Checks.timeout(timeout);
      return this;
    }

    /**
     * Lets a call take as long as it takes.
     *
     * @return this
     */
    public Builder noTimeout() {
      timeout = null;
      return this;
    }

    /**
     * Sets how often a call is tried again after connection errors and the statuses 408, 429 and
     * 5xx; 2 unless set.
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
     * Bounds the waits between attempts. A wait is random between 0 and a bound that is the first
     * before the first retry, doubles with each further one, and is never beyond the longest; 0.5
     * and 8 seconds unless set.
     *
     * @param first the bound of the first wait
     * @param longest the bound of every wait
     * @return this
     * @throws ConfigurationException when one is less than 0
     */
    public Builder retryDelay(Duration first, Duration longest) {
      firstDelay = Checks.delay(first);
      longestDelay = Checks.delay(longest);
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
     * Sends requests by a client of your own, for proxies, certificates or an executor.
     *
     * @param client the client; it should follow no redirects, so that the key goes nowhere else
     * @return this
     */
    public Builder httpClient(HttpClient client) {
      Objects.requireNonNull(client, "client");
      return transport(new HttpTransport(client));
    }

    /**
     * Sends requests by anything that can, so that a test needs no network.
     *
     * @param transport what sends them
     * @return this
     */
    public Builder transport(Transport transport) {
      this.transport = Objects.requireNonNull(transport, "transport");
      return this;
    }

    /**
     * Logs attempts at the level {@code DEBUG} and retries at {@code INFO}. The API key appears in
     * nothing that is logged; what the logger throws is ignored.
     *
     * @param logger where to
     * @return this
     */
    public Builder logger(System.Logger logger) {
      this.logger = Objects.requireNonNull(logger, "logger");
      return this;
    }

    /**
     * Completes the options.
     *
     * @return the options
     */
    public ClientOptions build() {
      return new ClientOptions(this);
    }
  }
}
