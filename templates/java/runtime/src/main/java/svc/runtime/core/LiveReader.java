package svc.runtime.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.SvcException;

/** Reads the messages of a live session, and closes the session at their end. */
final class LiveReader<O> implements MessageSource<O> {
  private final MessageSocket socket;
  private final FrameReader<O> frames;
  private final Delivery<O> delivery = new Delivery<>("session", this::details);

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
  public ErrorDetails details() {
    return socket.details().build();
  }

  @Override
  public void close() {
    delivery.close();
  }

  boolean hasEnded() {
    return delivery.end().isDone() || socket.hasEnded();
  }

  /**
   * Returns why the session has ended, for a message that cannot be sent. The program may not have
   * read up to the end yet.
   *
   * @param otherwise the reason to return if no better one is known
   */
  Throwable reasonOfEnd(Throwable otherwise) {
    if (delivery.end().isDone()) {
      Throwable failure = delivery.end().handle((nothing, thrown) -> thrown).join();
      return failure == null ? otherwise : failure;
    }
    return socket
        .lastWaiting()
        .flatMap(this::failureIn)
        .or(socket::failure)
        .<Throwable>map(Function.identity())
        .orElse(otherwise);
  }

  /** Returns the failure in a message that has not been read yet. */
  private Optional<SvcException> failureIn(String message) {
    try {
      return frames.read(message).failure();
    } catch (SvcException wrong) {
      return Optional.of(wrong);
    }
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
      socket.logLoss(failure);
      delivery.fail(failure);
    }
  }
}
