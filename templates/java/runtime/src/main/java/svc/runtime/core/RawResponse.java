package svc.runtime.core;

import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The result of a call and the response that it was read from.
 *
 * @param <T> the type of the result
 */
public final class RawResponse<T> {
  private final T value;
  private final ServiceResponse response;

  private RawResponse(T value, ServiceResponse response) {
    this.value = value;
    this.response = response;
  }

  /** Runs a call and keeps its last response. Cancelling the future cancels the call. */
  static <T> CompletableFuture<RawResponse<T>> of(
      CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    AtomicReference<ServiceResponse> last = new AtomicReference<>();
    CompletableFuture<T> running = call.apply(options.listening(last::set));
    CompletableFuture<RawResponse<T>> result = new CompletableFuture<>();
    running.whenComplete(
        (value, failure) -> Call.settle(result, new RawResponse<>(value, last.get()), failure));
    result.whenComplete((response, failure) -> running.cancel(true));
    return result;
  }

  /**
   * Returns the result of the call.
   *
   * @return the result
   */
  public T value() {
    return value;
  }

  /**
   * Returns the HTTP status code.
   *
   * @return the status code
   */
  public int status() {
    return response.status();
  }

  /**
   * Returns the headers of the response.
   *
   * @return the headers
   */
  public HttpHeaders headers() {
    return response.headers();
  }

  /**
   * Returns the body of the response.
   *
   * @return the body
   */
  public String body() {
    return response.body();
  }

  /**
   * Returns the id of the execution that the call created.
   *
   * @return the id, empty if the service did not send it
   */
  public Optional<String> executionId() {
    return response.executionId();
  }

  /**
   * Returns the id of the request in the logs of the service: the header {@code X-Request-Id}.
   *
   * @return the id, empty if the service did not send it
   */
  public Optional<String> requestId() {
    return response.requestId();
  }

  /**
   * Returns the number of attempts of the request, including the first.
   *
   * @return the number
   */
  public int attempts() {
    return response.attempts();
  }

  /**
   * Returns the key that was sent with every attempt, or that started the run that the call waited
   * for.
   *
   * @return the key, empty for reads
   */
  public Optional<String> idempotencyKey() {
    return response.idempotencyKey();
  }

  /** Shows the status and the value. */
  @Override
  public String toString() {
    return "RawResponse[status=" + status() + ", value=" + value + "]";
  }
}
