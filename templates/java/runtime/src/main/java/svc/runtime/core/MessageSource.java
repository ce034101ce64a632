package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a stream is read from. */
interface MessageSource<T> {
  /**
   * Asks for the next message; empty at the end. It must not be called again before that. A stream
   * that has failed fails again. Cancelling the future closes the stream.
   */
  CompletableFuture<Optional<T>> next();

  /** Closes the connection, unless the stream has ended. */
  void close();
}
