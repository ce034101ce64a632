package svc.runtime.core;

import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codec;

/** Requests the output of a split stream, and after a lost connection the rest of it. */
final class OutputRequest<O> implements StreamRequest<O> {
  private static final int NO_CONTENT = 204;

  private final String path;
  private final String after;
  private final Codec<O> output;

  /** The exchange; null before the first request. */
  private volatile Exchange exchange;

  /**
   * Creates a request without sending it.
   *
   * @param after the id of the event after which the output begins; empty to read it from the
   *     beginning
   */
  OutputRequest(String path, String after, Codec<O> output) {
    this.path = path;
    this.after = after;
    this.output = output;
  }

  @Override
  public CompletableFuture<FrameReader<O>> send(Call call) {
    exchange = Exchange.ofStream(call, path);
    return exchange.begin(after).thenApply(head -> read(call, head));
  }

  @Override
  public CompletableFuture<FrameReader<O>> resume(
      Call call, SvcException lost, String lastEventId) {
    String last = lastEventId.isEmpty() ? after : lastEventId;
    return exchange.resume(lost, last).thenApply(head -> read(call, head));
  }

  private FrameReader<O> read(Call call, Received head) {
    // There is no output after the last event.
    return head.status() == NO_CONTENT
        ? new FrameReader<>(output, false, call, head, null)
        : FrameReader.ofEvents(output, false, call, head, null);
  }
}
