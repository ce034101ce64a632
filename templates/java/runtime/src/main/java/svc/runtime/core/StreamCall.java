package svc.runtime.core;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import svc.runtime.errors.CallCancelledException;

/** A call whose output is a stream. Its request is sent when the first message is asked for. */
final class StreamCall<O> implements MessageSource<O> {
  private final Connection connection;
  private final Settings settings;
  private final Function<Call, CompletableFuture<FrameReader<O>>> request;
  private final EventParser parser = new EventParser();
  private final AtomicBoolean hasBegun = new AtomicBoolean();

  /** Completed when the response has begun. */
  private final CompletableFuture<FrameReader<O>> opened = new CompletableFuture<>();

  /** Completed by the last frame, a failure or {@link #close}. It ends everything else. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** The message that is asked for, or null. */
  private final AtomicReference<CompletableFuture<Optional<O>>> wanted = new AtomicReference<>();

  /**
   * Creates a call. Sends no request.
   *
   * @param request sends the request and returns the reader of its response
   */
  StreamCall(
      Connection connection,
      Settings settings,
      Function<Call, CompletableFuture<FrameReader<O>>> request) {
    this.connection = connection;
    this.settings = settings;
    this.request = request;
    end.whenComplete((nothing, failure) -> settleEnd(failure));
  }

  @Override
  public CompletableFuture<Optional<O>> next() {
    CompletableFuture<Optional<O>> next = closing(new CompletableFuture<>());
    wanted.set(next);
    if (end.isDone()) {
      end.whenComplete((nothing, failure) -> settleEnd(failure));
    } else {
      begin();
      opened.thenAccept(this::advance);
    }
    return next;
  }

  /**
   * Sends the request, unless it was sent, and returns the head of the response. Cancelling the
   * future closes the stream.
   */
  CompletableFuture<RawAnswer> response() {
    begin();
    return closing(opened.thenApply(FrameReader::response));
  }

  private <T> CompletableFuture<T> closing(CompletableFuture<T> future) {
    future.whenComplete(
        (value, failure) -> {
          if (failure instanceof CancellationException) {
            close();
          }
        });
    return future;
  }

  /** Returns the execution, once the service has named it. */
  Optional<String> executionId() {
    return opened.isDone() && !opened.isCompletedExceptionally()
        ? opened.join().executionId()
        : Optional.empty();
  }

  @Override
  public void close() {
    end.completeExceptionally(new CallCancelledException("the stream was closed", null));
  }

  private void begin() {
    if (!end.isDone() && hasBegun.compareAndSet(false, true)) {
      Call.start(
          connection,
          settings,
          end,
          call ->
              request
                  .apply(call)
                  .thenCompose(
                      reader -> {
                        end.whenComplete((nothing, failure) -> reader.events().cancel());
                        opened.complete(reader);
                        return end;
                      }));
    }
  }

  /** Reads until what is asked for has arrived: a message or the last frame. */
  private void advance(FrameReader<O> reader) {
    try {
      while (!end.isDone()) {
        byte[] data = parser.poll();
        if (data != null) {
          take(reader.read(data));
          return;
        }
        CompletableFuture<List<ByteBuffer>> chunk = reader.events().next();
        if (!chunk.isDone()) {
          chunk.whenComplete(
              (buffers, failure) -> {
                feed(reader, buffers, failure);
                advance(reader);
              });
          return;
        }
        chunk.whenComplete((buffers, failure) -> feed(reader, buffers, failure));
      }
    } catch (RuntimeException | Error failure) {
      end.completeExceptionally(failure);
    }
  }

  /** Parses a chunk. Without one the stream has ended too early. */
  private void feed(FrameReader<O> reader, List<ByteBuffer> chunk, Throwable failure) {
    if (chunk == null) {
      end.completeExceptionally(reader.cutOff(failure));
    } else {
      chunk.forEach(parser::feed);
    }
  }

  private void take(FrameReader.Frame<O> frame) {
    CompletableFuture<Optional<O>> next =
        frame.message().isPresent() ? wanted.getAndSet(null) : null;
    if (frame.failure().isPresent()) {
      end.completeExceptionally(frame.failure().get());
    } else if (frame.isLast()) {
      end.complete(null);
    }
    if (next != null) {
      next.complete(frame.message());
    }
  }

  private void settleEnd(Throwable failure) {
    if (failure != null) {
      opened.completeExceptionally(failure);
    }
    CompletableFuture<Optional<O>> next = wanted.getAndSet(null);
    if (next != null) {
      Call.settle(next, Optional.empty(), failure);
    }
  }
}
