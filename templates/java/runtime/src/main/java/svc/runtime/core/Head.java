package svc.runtime.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import svc.runtime.errors.ErrorDetails;

/** The status and headers of a response, which are known before its body. */
final class Head implements HttpResponse.BodyHandler<byte[]> {
  private volatile int status;
  private volatile HttpHeaders headers = ErrorDetails.NONE.headers();

  /** Whether the body of an event stream is read as it arrives. */
  private final boolean streams;

  private volatile EventBody events;

  /** The reader of a body that is not streamed; null before the response begins. */
  private volatile Body body;

  /** Completed by the reader of the body. For a stream, it is completed when the body begins. */
  private final CompletableFuture<byte[]> read = new CompletableFuture<>();

  Head(boolean streams) {
    this.streams = streams;
  }

  /** Returns the status code, or 0 before the response has arrived. */
  int status() {
    return status;
  }

  HttpHeaders headers() {
    return headers;
  }

  @Override
  public HttpResponse.BodySubscriber<byte[]> apply(HttpResponse.ResponseInfo head) {
    headers = head.headers();
    status = head.statusCode();
    if (!isStreamed()) {
      body = new Body();
      body.whenComplete((bytes, failure) -> Call.settle(read, bytes, failure));
      return body;
    }
    events = new EventBody();
    read.complete(new byte[0]);
    return events;
  }

  /**
   * Returns the body as soon as it is read, or fails when the response does. The JDK completes
   * responses in the common pool, which the program may keep busy. Cancelling the future cancels
   * the response.
   */
  CompletableFuture<byte[]> firstOf(CompletableFuture<HttpResponse<byte[]>> response) {
    CompletableFuture<byte[]> first = new CompletableFuture<>();
    response
        .thenApply(this::take)
        .whenCompleteAsync((bytes, failure) -> Call.settle(first, bytes, failure), Workers.THREADS);
    read.whenCompleteAsync((bytes, failure) -> Call.settle(first, bytes, failure), Workers.THREADS);
    first.whenComplete(
        (bytes, failure) -> {
          if (failure != null) {
            cancel(response);
          }
        });
    return first;
  }

  /**
   * Returns a future whose completion cancels a response of another transport, which may originate
   * from the JDK.
   */
  CompletableFuture<Void> cancellationOf(CompletableFuture<?> response) {
    CompletableFuture<Void> cancellation = new CompletableFuture<>();
    cancellation.whenComplete((nothing, cancelled) -> cancel(response));
    return cancellation;
  }

  /**
   * Cancels a response. Once the response has begun, only its body is cancelled, not the future of
   * the JDK: after the last byte, another request may use the connection, which the JDK would
   * close.
   */
  private void cancel(CompletableFuture<?> response) {
    Body begun = body;
    if (begun == null) {
      response.cancel(true);
    } else {
      begun.cancel(true);
      response.completeExceptionally(new CancellationException());
    }
  }

  /** Stores the status and headers of a response and returns its body. */
  <T> T take(HttpResponse<T> response) {
    if (response == null) {
      throw new IllegalStateException("the transport returned no response");
    }
    headers = response.headers();
    status = response.statusCode();
    T content = response.body();
    if (content == null) {
      // The JDK returns no body if a proxy refuses a tunnel. The caller checks the status.
      String problem = "the transport returned a response without a body";
      throw isRefusal()
          ? new UncheckedIOException(new IOException(problem))
          : new IllegalStateException(problem);
    }
    return content;
  }

  /** Stores the status and headers of a response and reads its body. */
  Body read(HttpResponse<Flow.Publisher<List<ByteBuffer>>> response) {
    Body own = new Body();
    body = own;
    take(response).subscribe(own);
    return own;
  }

  /** Reports whether the response has begun and has an error status. */
  boolean isRefusal() {
    return status != 0 && !isSuccess();
  }

  /** Returns the bytes that have arrived of a body that is not streamed. */
  byte[] arrived() {
    return body == null ? new byte[0] : body.arrived();
  }

  /**
   * Returns the body of an event stream, or null if the response is not one. A transport may have
   * read it already.
   */
  EventBody events(byte[] body) {
    if (events == null && isStreamed()) {
      events = EventBody.of(body);
    }
    return events;
  }

  /** Closes the connection of an event stream. */
  void release() {
    if (events != null) {
      events.cancel();
    }
  }

  private boolean isStreamed() {
    return streams && isSuccess() && isEventStream();
  }

  private boolean isSuccess() {
    return status >= 200 && status <= 299;
  }

  private boolean isEventStream() {
    String type = headers.firstValue("content-type").orElse("");
    return type.split(";")[0].strip().toLowerCase(Locale.ROOT).equals("text/event-stream");
  }
}
