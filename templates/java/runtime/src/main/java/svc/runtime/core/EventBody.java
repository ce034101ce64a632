package svc.runtime.core;

import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/**
 * The body of an event stream, which is read on demand. The response is complete before its body
 * is. Cancelling the body closes the connection.
 */
final class EventBody implements HttpResponse.BodySubscriber<byte[]> {
  private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(1);

  /** Chunks that arrived before they were requested, from a transport that ignores demand. */
  private final Queue<List<ByteBuffer>> early = new ArrayDeque<>();

  private Flow.Subscription subscription;
  private boolean isCancelled;
  private boolean hasEnded;
  private Throwable failure;

  /** The pending request for a chunk, or null. */
  private CompletableFuture<List<ByteBuffer>> wanted;

  /** Returns a body that has arrived completely. */
  static EventBody of(byte[] bytes) {
    EventBody body = new EventBody();
    body.onSubscribe(
        new Flow.Subscription() {
          private boolean isSent;

          @Override
          public void request(long count) {
            if (isSent) {
              body.onComplete();
            } else {
              isSent = true;
              body.onNext(List.of(ByteBuffer.wrap(bytes)));
            }
          }

          @Override
          public void cancel() {
            // There is no connection.
          }
        });
    return body;
  }

  /**
   * Requests the next chunk; null at the end. It must not be called again before the future
   * completes.
   */
  CompletableFuture<List<ByteBuffer>> next() {
    CompletableFuture<List<ByteBuffer>> next = new CompletableFuture<>();
    Flow.Subscription source;
    List<ByteBuffer> chunk;
    synchronized (this) {
      chunk = early.poll();
      wanted = chunk == null ? next : null;
      source = subscription;
    }
    if (chunk != null) {
      next.complete(chunk);
    } else if (!settleEnd() && source != null) {
      source.request(1);
    }
    return next;
  }

  /**
   * Requests the next chunk as {@link #next()} does. Fails with a {@link HttpTimeoutException} if
   * it does not arrive in time.
   */
  CompletableFuture<List<ByteBuffer>> next(Duration limit) {
    CompletableFuture<List<ByteBuffer>> next = next();
    if (!next.isDone()) {
      CompletableFuture<Void> alarm = new CompletableFuture<>();
      alarm.completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
      // Not on the thread of the timer: the end of a stream runs callbacks of the caller.
      alarm.thenRunAsync(
          () ->
              next.completeExceptionally(
                  new HttpTimeoutException("nothing arrived for " + limit.toSeconds() + " s")),
          Workers.THREADS);
      next.whenComplete((chunk, thrown) -> alarm.cancel(false));
    }
    return next;
  }

  /**
   * Reads the end of a response after its last message, so that its connection can be reused.
   * Cancels the response if more data arrives, or if the end does not arrive in time.
   */
  void finish() {
    next(LONGEST_FAREWELL)
        .whenComplete(
            (chunk, thrown) -> {
              if (chunk != null || thrown != null) {
                cancel();
              }
            });
  }

  /** Closes the connection, and cancels the pending request for a chunk. */
  void cancel() {
    Flow.Subscription source;
    synchronized (this) {
      isCancelled = true;
      source = subscription;
    }
    if (source != null) {
      source.cancel();
    }
    CompletableFuture<List<ByteBuffer>> next = takeWanted();
    if (next != null) {
      next.cancel(false);
    }
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return CompletableFuture.completedFuture(new byte[0]);
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    boolean isWanted;
    synchronized (this) {
      subscription = begun;
      isWanted = wanted != null;
    }
    if (isCancelled()) {
      begun.cancel();
    } else if (isWanted) {
      begun.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> chunk) {
    CompletableFuture<List<ByteBuffer>> next;
    synchronized (this) {
      next = takeWanted();
      if (next == null) {
        early.add(chunk);
      }
    }
    if (next != null) {
      next.complete(chunk);
    }
  }

  @Override
  public void onError(Throwable thrown) {
    synchronized (this) {
      hasEnded = true;
      failure = thrown;
    }
    settleEnd();
  }

  @Override
  public void onComplete() {
    synchronized (this) {
      hasEnded = true;
    }
    settleEnd();
  }

  private synchronized boolean isCancelled() {
    return isCancelled;
  }

  private synchronized CompletableFuture<List<ByteBuffer>> takeWanted() {
    CompletableFuture<List<ByteBuffer>> next = wanted;
    wanted = null;
    return next;
  }

  /** Completes the pending request and returns true if the body has ended. */
  private boolean settleEnd() {
    synchronized (this) {
      if (!hasEnded) {
        return false;
      }
    }
    CompletableFuture<List<ByteBuffer>> next = takeWanted();
    if (next != null && failure != null) {
      next.completeExceptionally(failure);
    } else if (next != null) {
      next.complete(null);
    }
    return true;
  }
}
