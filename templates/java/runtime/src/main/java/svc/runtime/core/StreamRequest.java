package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.SvcException;

/** Sends the request of a stream. */
@FunctionalInterface
interface StreamRequest<O> {
  /** Sends the request and returns the reader of its response. */
  CompletableFuture<FrameReader<O>> send(Call call);

  /**
   * Resumes after a lost connection. By default, the stream fails, because its output is not
   * stored.
   *
   * @param lost the failure of the connection
   * @param lastEventId the id of the last event; empty if none has arrived
   */
  default CompletableFuture<FrameReader<O>> resume(
      Call call, SvcException lost, String lastEventId) {
    return CompletableFuture.failedFuture(lost);
  }
}
