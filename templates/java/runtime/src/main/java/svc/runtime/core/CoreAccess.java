package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.internal.Access;
import svc.runtime.internal.Connection;

/** The parts of this package that the generated client uses. */
final class CoreAccess extends Access {
  @Override
  protected Connection open(String identity, ClientOptions options) {
    return ServiceConnection.open(identity, options);
  }

  @Override
  protected <T> T await(CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return Blocking.call(options, call);
  }

  @Override
  protected <T> CompletableFuture<RawResponse<T>> raw(
      CallOptions options, Function<CallOptions, CompletableFuture<T>> call) {
    return RawResponse.of(options, call);
  }
}
