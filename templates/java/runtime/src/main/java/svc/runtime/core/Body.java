package svc.runtime.core;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of a response. Cancelling it releases the connection. */
final class Body extends CompletableFuture<byte[]> implements HttpResponse.BodySubscriber<byte[]> {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
  private volatile Flow.Subscription subscription;

  @Override
  public CompletionStage<byte[]> getBody() {
    return this;
  }

  /** Returns the bytes that have arrived. */
  byte[] arrived() {
    return bytes.toByteArray();
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    if (isCancelled()) {
      begun.cancel();
    } else {
      begun.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      bytes.write(part, 0, part.length);
    }
  }

  @Override
  public void onError(Throwable failure) {
    completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    complete(bytes.toByteArray());
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean isCancelled = super.cancel(mayInterrupt);
    Flow.Subscription begun = subscription;
    if (isCancelled && begun != null) {
      begun.cancel();
    }
    return isCancelled;
  }
}
