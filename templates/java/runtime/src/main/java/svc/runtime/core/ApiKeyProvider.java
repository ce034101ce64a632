package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Provides the API key of a client, for example one that expires. The client keeps a key until the
 * service rejects it with 401. It then asks for another key and resends the request, once per
 * request. Concurrent requests share one call of the provider. If one of them times out or is
 * cancelled, the others still receive the key.
 */
@FunctionalInterface
public interface ApiKeyProvider {
  /**
   * Returns the API key. It is called on a thread of the SDK and may block. If it fails, or does
   * not return a key within 30 seconds, calls are retried as after a failed connection, and ask
   * again.
   *
   * @param refused the key that the service rejected, which must not be returned from a cache;
   *     empty if it has rejected none
   * @return the key
   */
  CompletionStage<String> apiKey(Optional<String> refused);
}
