package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the messages of a live session, and closes it at their end. */
final class LiveReader<O> implements MessageSource<O> {
  private final MessageSocket socket;
  private final FrameReader<O> frames;
  private final Delivery<O> delivery = new Delivery<>("session");

  LiveReader(MessageSocket socket, FrameReader<O> frames) {
    this.socket = socket;
    this.frames = frames;
    delivery.end().whenComplete((nothing, failure) -> socket.close());
  }

  @Override
  public CompletableFuture<Optional<O>> next() {
    return delivery.ask(
        () ->
            socket
                .next()
                .thenAccept(this::take)
                .whenComplete((nothing, failure) -> check(failure)));
  }

  @Override
  public void close() {
    delivery.close();
  }

  private void take(Optional<String> message) {
    delivery.take(
        frames.read(
            message.orElseThrow(
                () ->
                    socket.interrupted(
                        "the service closed the WebSocket with 1000, without a last frame"))));
  }

  private void check(Throwable failure) {
    if (failure != null) {
      delivery.fail(failure);
    }
  }
}
