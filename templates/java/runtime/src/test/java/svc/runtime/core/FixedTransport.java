package svc.runtime.core;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Responds immediately, without a network. A body may be null. */
record FixedTransport(Function<HttpRequest, String> bodies) implements Transport {
  @Override
  public CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
    String body = bodies.apply(request);
    return CompletableFuture.completedFuture(
        body == null
            ? new FixedResponse(request, 200, Map.of(), null)
            : FixedResponse.of(request, 200, body));
  }
}
