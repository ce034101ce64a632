package svc.runtime.core;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/**
 * Sends a request and gives its answer, whatever its status. The {@code sendAsync} of a {@link
 * java.net.http.HttpClient} is one; a test may answer without a network.
 */
@FunctionalInterface
public interface Transport {
  /**
   * Sends a request.
   *
   * @param request the request
   * @param bodyHandler is told the head of the answer, and reads its body
   * @return the answer; cancelled when the call has ended before it
   */
  CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler);
}
