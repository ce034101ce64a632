package svc.runtime.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.core.CallOptions;
import svc.runtime.core.RawResponse;

/** Runs calls and keeps their responses. */
public final class RawCalls {
  private RawCalls() {}

  /**
   * Runs a call and keeps its last response. Cancelling the future cancels the call.
   *
   * @param options options of the call
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return the result and the response
   */
  public static <T> CompletableFuture<RawResponse<T>> of(
      CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return Access.toCore().raw(options, call);
  }
}
