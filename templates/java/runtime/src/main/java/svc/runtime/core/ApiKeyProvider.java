package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Provides the API key of a client, for example one that expires. The client keeps a key until the
 * service refuses it with 401. It then asks for another one and sends the request again, once for
 * each request. Requests that need a key at the same time ask once; if one of them times out or is
 * cancelled, the others still get the key.
 */
@FunctionalInterface
public interface ApiKeyProvider {
  /**
   * Returns the API key. It is called on a thread of the SDK, and may block. If it fails, or gives
   * no key within 30 seconds, calls retry as after a failed connection, and ask again.
   *
   * @param refused the key that the service has refused, which is not to be returned from a cache;
   *     empty if it has refused none
   * @return the key
   */
  CompletionStage<String> apiKey(Optional<String> refused);
}
