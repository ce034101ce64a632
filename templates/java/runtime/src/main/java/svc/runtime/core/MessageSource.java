package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.ErrorDetails;

/** What a stream is read from. */
interface MessageSource<T> {
  /**
   * Asks for the next message; empty at the end. It must not be called again before that. A stream
   * that has failed fails again. Cancelling the future closes the stream.
   */
  CompletableFuture<Optional<T>> next();

  /** Returns what is known of the call, for an exception about it. */
  ErrorDetails details();

  /** Closes the connection, unless the stream has ended. */
  void close();
}
