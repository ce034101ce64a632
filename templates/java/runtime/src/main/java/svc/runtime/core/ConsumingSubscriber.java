package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Passes all messages of a stream to a consumer.
 *
 * @param result completed at the end; cancelling it cancels the subscription
 */
record ConsumingSubscriber<T>(Consumer<? super T> consumer, CompletableFuture<Void> result)
    implements Flow.Subscriber<T> {
  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    result.whenComplete((nothing, failure) -> subscription.cancel());
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(T message) {
    try {
      consumer.accept(message);
    } catch (RuntimeException | Error failure) {
      result.completeExceptionally(failure);
    }
  }

  @Override
  public void onError(Throwable failure) {
    result.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    result.complete(null);
  }
}
