package svc.runtime.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.core.CallOptions;
import svc.runtime.core.ClientOptions;
import svc.runtime.core.RawResponse;

/** The non-public parts of the package {@code core} that the generated client uses. */
public abstract class Access {
  private static volatile Access core;

  /** Creates the access. */
  protected Access() {}

  /**
   * Sets the access to the package. The package calls this before any options exist.
   *
   * @param access the access
   */
  public static void grant(Access access) {
    core = access;
  }

  static Access toCore() {
    return core;
  }

  /**
   * Creates a connection.
   *
   * @param identity identifies the SDK to the service
   * @param options the options
   * @return the connection
   */
  protected abstract Connection open(String identity, ClientOptions options);

  /**
   * Runs a call and waits for its end.
   *
   * @param options options of the call
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return its result
   */
  protected abstract <T> T await(
      CallOptions options, Function<CallOptions, CompletableFuture<T>> call);

  /**
   * Runs a call and keeps its last response.
   *
   * @param options options of the call
   * @param call starts the call with these options
   * @param <T> the type of its result
   * @return the result and the response
   */
  protected abstract <T> CompletableFuture<RawResponse<T>> raw(
      CallOptions options, Function<CallOptions, CompletableFuture<T>> call);
}
