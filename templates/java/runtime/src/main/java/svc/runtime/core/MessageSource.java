package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.ErrorDetails;

/** The source of the messages of a stream. */
interface MessageSource<T> {
  /**
   * Requests the next message; empty at the end. It must not be called again before the future
   * completes. A stream that has failed fails again. Cancelling the future closes the stream.
   */
  CompletableFuture<Optional<T>> next();

  /** Returns the known details of the call, for an exception about it. */
  ErrorDetails details();

  /** Closes the connection, unless the stream has ended. */
  void close();
}
