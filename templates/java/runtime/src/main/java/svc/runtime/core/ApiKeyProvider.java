package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Provides the API key of a client, for example one that expires. The client keeps a key until the
 * service refuses it with 401. It then asks for another one and sends the request again, once for
 * each request. Requests that need a key at the same time ask once.
 */
@FunctionalInterface
public interface ApiKeyProvider {
  /**
   * Returns the API key. It is called on a thread of the SDK, and may block. If it fails, calls
   * retry as after a failed connection; if it hangs, they time out.
   *
   * @param refused the key that the service has refused, which is not to be returned from a cache;
   *     empty if it has refused none
   * @return the key
   */
  CompletionStage<String> apiKey(Optional<String> refused);
}
