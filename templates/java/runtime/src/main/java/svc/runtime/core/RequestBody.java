package svc.runtime.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Reads the body of a request. */
final class RequestBody implements Flow.Subscriber<ByteBuffer> {
  private final Body body = new Body();

  /** Returns the body, which completes once it has been read. */
  CompletableFuture<String> text() {
    return body.thenApply(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    body.onSubscribe(begun);
  }

  @Override
  public void onNext(ByteBuffer part) {
    body.onNext(List.of(part));
  }

  @Override
  public void onError(Throwable failure) {
    body.onError(failure);
  }

  @Override
  public void onComplete() {
    body.onComplete();
  }
}
