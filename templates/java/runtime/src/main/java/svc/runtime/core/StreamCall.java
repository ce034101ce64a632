package svc.runtime.core;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.SvcException;

/** A call whose output is a stream. Its request is sent when the first message is requested. */
final class StreamCall<O> implements MessageSource<O> {
  /**
   * How long a stream may be silent. The service sends a comment after 15 seconds without a
   * message, so a longer silence means that the connection is lost.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

  private final ServiceConnection connection;
  private final Settings settings;
  private final StreamRequest<O> request;
  private final EventParser parser = new EventParser();
  private final AtomicBoolean hasBegun = new AtomicBoolean();

  /** Completed when the response has begun. */
  private final CompletableFuture<FrameReader<O>> opened = new CompletableFuture<>();

  private final Delivery<O> delivery = new Delivery<>("stream", this::details);
  private final CompletableFuture<Void> end = delivery.end();

  /** The call; null before the request. */
  private volatile Call call;

  /** The reader of the latest response; null before the response. */
  private volatile FrameReader<O> reader;

  private volatile String lastEventId = "";

  /** Whether the last message has no id of its own, after which the stream could be resumed. */
  private volatile boolean isUnmarked;

  /** Creates a call without sending a request. */
  StreamCall(ServiceConnection connection, Settings settings, StreamRequest<O> request) {
    this.connection = connection;
    this.settings = settings;
    this.request = request;
    end.whenComplete(
        (nothing, failure) -> {
          disconnect(failure == null);
          if (failure != null) {
            opened.completeExceptionally(failure);
          }
        });
  }

  @Override
  public CompletableFuture<Optional<O>> next() {
    return delivery.ask(
        () -> {
          begin();
          // The reader may have been replaced by now.
          opened.thenAccept(first -> advance(reader));
        });
  }

  /**
   * Sends the request, unless it has been sent, and returns the head of the response. Cancelling
   * the future closes the stream.
   */
  CompletableFuture<ServiceResponse> response() {
    begin();
    return delivery.closing(opened.thenApply(FrameReader::response));
  }

  /** Returns the id of the execution, once the service has sent it. */
  Optional<String> executionId() {
    return Optional.ofNullable(reader).flatMap(FrameReader::executionId);
  }

  /** Returns the id of the event of the last message, once the service has sent one. */
  Optional<String> lastEventId() {
    return Optional.of(lastEventId).filter(id -> !id.isEmpty());
  }

  @Override
  public ErrorDetails details() {
    Call begun = call;
    return begun == null ? ErrorDetails.NONE : begun.details();
  }

  @Override
  public void close() {
    delivery.close();
  }

  private void begin() {
    if (!end.isDone() && hasBegun.compareAndSet(false, true)) {
      Call.start(
          connection,
          settings,
          end,
          begun -> {
            call = begun;
            return request
                .send(begun)
                .thenCompose(
                    first -> {
                      use(first);
                      opened.complete(first);
                      return end;
                    });
          });
    }
  }

  private void use(FrameReader<O> next) {
    reader = next;
    if (end.isDone()) {
      disconnect(false);
    }
  }

  /** Releases the connection for other calls if the stream is complete, and closes it otherwise. */
  private void disconnect(boolean isComplete) {
    FrameReader<O> last = reader;
    if (last == null || last.events() == null) {
      return;
    }
    if (isComplete) {
      last.events().finish();
    } else {
      last.events().cancel();
    }
  }

  /** Reads until the requested message or the last frame has arrived. */
  private void advance(FrameReader<O> from) {
    try {
      while (!end.isDone()) {
        EventParser.Event event = parser.poll();
        if (event != null) {
          take(event, from);
          return;
        }
        if (from.events() == null) {
          end.complete(null);
          return;
        }
        CompletableFuture<List<ByteBuffer>> chunk = from.events().next(LONGEST_SILENCE);
        if (!chunk.isDone()) {
          chunk.whenComplete(
              (buffers, failure) -> {
                if (feed(from, buffers, failure)) {
                  advance(from);
                }
              });
          return;
        }
        if (!chunk.handle((buffers, failure) -> feed(from, buffers, failure)).join()) {
          return;
        }
      }
    } catch (RuntimeException | Error failure) {
      delivery.fail(failure);
    }
  }

  /** Parses a chunk. Returns false if there is none, or if the stream has ended. */
  private boolean feed(FrameReader<O> from, List<ByteBuffer> chunk, Throwable failure) {
    if (end.isDone()) {
      return false;
    }
    if (chunk == null) {
      from.events().cancel();
      SvcException lost = from.cutOff(failure);
      call.log(Level.DEBUG, "failed: " + lost.getMessage());
      readOn(lost);
      return false;
    }
    chunk.forEach(parser::feed);
    if (parser.pending() > FrameReader.LONGEST_FRAME) {
      delivery.fail(from.tooLong());
      return false;
    }
    return true;
  }

  private void readOn(SvcException lost) {
    if (isUnmarked) {
      // Resuming after the last id would deliver messages again.
      delivery.fail(lost);
      return;
    }
    parser.restart();
    request
        .resume(call, lost, lastEventId)
        .whenComplete(
            (next, failure) -> {
              if (failure != null) {
                delivery.fail(failure);
              } else {
                use(next);
                advance(next);
              }
            });
  }

  private void take(EventParser.Event event, FrameReader<O> from) {
    FrameReader.Frame<O> frame = from.read(event.data());
    isUnmarked = event.id().isEmpty() || event.id().equals(lastEventId);
    if (!event.id().isEmpty()) {
      lastEventId = event.id();
    }
    delivery.take(frame);
  }
}
