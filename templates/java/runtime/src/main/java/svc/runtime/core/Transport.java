package svc.runtime.core;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests. {@code sendAsync} of {@link java.net.http.HttpClient} is an implementation; tests
 * can respond without a network.
 */
@FunctionalInterface
public interface Transport {
  /**
   * Sends a request and returns its response, whatever its status.
   *
   * @param request the request
   * @param bodyHandler receives the response headers and reads the body; that of a stream is read
   *     after the response is complete
   * @return the response; cancelled if the call ends first
   */
  CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler);
}
