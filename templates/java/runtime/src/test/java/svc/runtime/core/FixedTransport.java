package svc.runtime.core;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import javax.net.ssl.SSLSession;

/** Responds at once, without a network. A body may be null. */
record FixedTransport(Function<HttpRequest, String> bodies) implements Transport {
  @Override
  public CompletableFuture<HttpResponse<byte[]>> send(
      HttpRequest request, HttpResponse.BodyHandler<byte[]> bodyHandler) {
    return CompletableFuture.completedFuture(new Response(request, bodies.apply(request)));
  }

  /** A response with the status 200. */
  private record Response(HttpRequest request, String text) implements HttpResponse<byte[]> {
    @Override
    public int statusCode() {
      return 200;
    }

    @Override
    public Optional<HttpResponse<byte[]>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(Map.of(), (name, value) -> true);
    }

    @Override
    public byte[] body() {
      return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return request.uri();
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }
}
