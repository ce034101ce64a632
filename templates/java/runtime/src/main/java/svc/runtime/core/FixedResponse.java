package svc.runtime.core;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;

/**
 * A response for a {@link Transport} that responds without a network, as in a test.
 *
 * <pre>{@code
 * Transport busy =
 *     (request, bodyHandler) ->
 *         CompletableFuture.completedFuture(FixedResponse.of(request, 503, "busy"));
 * }</pre>
 */
public final class FixedResponse implements HttpResponse<byte[]> {
  private final HttpRequest request;
  private final int status;
  private final Map<String, List<String>> headers;
  private final byte[] body;

  FixedResponse(HttpRequest request, int status, Map<String, List<String>> headers, byte[] body) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /**
   * Returns a response without headers.
   *
   * @param request the request that it responds to
   * @param status the HTTP status code
   * @param body the body
   * @return the response
   */
  public static FixedResponse of(HttpRequest request, int status, String body) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(body, "body");
    return new FixedResponse(request, status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads the body of a request, such as streamed input, which is sent only if the transport reads
   * it.
   *
   * @param request the request
   * @return the complete body; streamed input has one line per message
   */
  public static CompletableFuture<String> bodyOf(HttpRequest request) {
    Objects.requireNonNull(request, "request");
    RequestBody body = new RequestBody();
    request.bodyPublisher().orElseGet(BodyPublishers::noBody).subscribe(body);
    return body.text();
  }

  /**
   * Sets a header. It replaces an earlier header of the same name, ignoring case. For a stream, set
   * {@code Content-Type} to {@code text/event-stream}.
   *
   * @param name its name
   * @param value its value
   * @return another response
   */
  public FixedResponse withHeader(String name, String value) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    all.put(name, List.of(value));
    return new FixedResponse(request, status, all, body);
  }

  @Override
  public int statusCode() {
    return status;
  }

  @Override
  public HttpRequest request() {
    return request;
  }

  @Override
  public Optional<HttpResponse<byte[]>> previousResponse() {
    return Optional.empty();
  }

  @Override
  public HttpHeaders headers() {
    return HttpHeaders.of(headers, (name, value) -> true);
  }

  @Override
  public byte[] body() {
    return body;
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

  @Override
  public String toString() {
    return "FixedResponse[status=" + status + "]";
  }
}
