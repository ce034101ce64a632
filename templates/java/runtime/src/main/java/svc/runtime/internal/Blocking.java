package svc.runtime.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.core.CallOptions;
import svc.runtime.errors.SvcException;

/** Runs calls synchronously. */
public final class Blocking {
  private Blocking() {}

  /**
   * Runs a call and waits for its end. Interrupting the thread cancels it.
   *
   * @param options options of the call
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return its result
   * @throws SvcException if it fails
   */
  public static <T> T call(CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return Access.toCore().await(options, call);
  }
}
