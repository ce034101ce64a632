package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** The API key, fixed or from a provider, protected from being printed. */
final class Secret {
  private static final String MASK = "[redacted]";

  /**
   * The length of the shortest key that is redacted. Keys of the service are longer. A shorter one
   * is a placeholder, which a text can contain by chance.
   */
  private static final int SHORTEST = 16;

  /** How long a provider may take. One that takes longer is considered hung and is asked again. */
  private static final Duration LONGEST_LOAD = Duration.ofSeconds(30);

  /** The provider; null for a fixed key. */
  private final ApiKeyProvider provider;

  /** The key; null until the provider returns one. */
  private volatile String key;

  /** The latest key of the provider that the service rejected, or null. */
  private volatile String refused;

  /** How long the provider may take. */
  private final Duration longestLoad;

  /** The pending request to the provider, or null. */
  private CompletableFuture<String> asked;

  Secret(String key) {
    this.key = key;
    provider = null;
    longestLoad = null;
  }

  Secret(ApiKeyProvider provider) {
    this(provider, LONGEST_LOAD);
  }

  /** Creates a secret with a custom limit, for tests. */
  Secret(ApiKeyProvider provider, Duration longestLoad) {
    this.provider = provider;
    this.longestLoad = longestLoad;
  }

  /**
   * Returns the key. If it is not known, asks the provider on a separate thread, because it may
   * block. Requests share the answer, so cancelling the future does not affect the others.
   *
   * @param limit how long the caller waits, or null for as long as the provider may take
   * @return the key; fails with a {@link TimeoutException} if it is late
   */
  CompletableFuture<String> load(Duration limit) {
    String known = key;
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    CompletableFuture<String> own = ask().thenApply(Checks::providedKey);
    return limit == null ? own : own.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized CompletableFuture<String> ask() {
    if (key != null) {
      return CompletableFuture.completedFuture(key);
    }
    if (asked == null) {
      Optional<String> last = Optional.ofNullable(refused);
      CompletableFuture<String> load = new CompletableFuture<>();
      asked = load;
      CompletableFuture.supplyAsync(() -> provider.apiKey(last), Workers.THREADS)
          .thenCompose(Function.identity())
          .orTimeout(longestLoad.toNanos(), TimeUnit.NANOSECONDS)
          .whenCompleteAsync((given, failure) -> end(load, given, failure), Workers.THREADS);
    }
    return asked;
  }

  private void end(CompletableFuture<String> load, String given, Throwable failure) {
    synchronized (this) {
      asked = null;
      if (Checks.isApiKey(given)) {
        key = given;
      }
    }
    Call.settle(load, given, failure);
  }

  /** Forgets a key that the service rejected. Returns false if there can be no other key. */
  synchronized boolean refuse(String used) {
    if (provider != null && used.equals(key)) {
      refused = used;
      key = null;
    }
    return provider != null;
  }

  /** Redacts the key in a string. */
  String redact(String text) {
    String redacted = text;
    for (String each : text == null ? List.<String>of() : secrets().toList()) {
      redacted = redacted.replace(each, MASK);
    }
    return redacted;
  }

  HttpHeaders redact(HttpHeaders headers) {
    if (headers.map().values().stream().flatMap(List::stream).noneMatch(this::isIn)) {
      return headers;
    }
    Map<String, List<String>> redacted = new LinkedHashMap<>();
    headers
        .map()
        .forEach((name, values) -> redacted.put(name, values.stream().map(this::redact).toList()));
    return HttpHeaders.of(redacted, (name, value) -> true);
  }

  /** Returns a cause, or its redacted text if it or its causes contain the key. */
  Throwable redact(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (isIn(each.toString())) {
        Throwable beneath = cause.getCause() == null ? null : redact(cause.getCause());
        return new RedactedCause(redact(cause.toString()), beneath, cause.getStackTrace());
      }
    }
    return cause;
  }

  private boolean isIn(String text) {
    return secrets().anyMatch(text::contains);
  }

  private Stream<String> secrets() {
    return Stream.of(Optional.ofNullable(key), Optional.ofNullable(refused))
        .flatMap(Optional::stream)
        .filter(each -> each.length() >= SHORTEST);
  }

  @Override
  public String toString() {
    return MASK;
  }

  /** The redacted text of a cause, with its stack trace. */
  private static final class RedactedCause extends Exception {
    private static final long serialVersionUID = 1;

    RedactedCause(String message, Throwable cause, StackTraceElement[] stackTrace) {
      super(message, cause);
      setStackTrace(stackTrace);
    }
  }
}
