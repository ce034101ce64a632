package svc.runtime.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import svc.runtime.errors.CallCancelledException;
import svc.runtime.errors.ConnectionException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codec;
import svc.runtime.json.JsonNumber;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/**
 * A session with a pipeline node, whose input and output flow concurrently. The service keeps no
 * record of it, and a lost connection ends it.
 *
 * <p>Close the session, preferably with try-with-resources: its input has no other end.
 * Interrupting a thread that waits for a message also closes it. The output ends without an
 * exception only after its last message. If the session fails, an {@link SvcException} is thrown or
 * published; the messages received so far are valid.
 *
 * <p>The output can be read once: by the iterator, by the stream, by {@link #consume}, or by a
 * subscriber, which sets the pace as that of an {@link AsyncFrameStream} does. Any thread can send
 * and close, even while another one reads. Messages arrive in the order in which they were sent.
 *
 * @param <I> the type of the input messages
 * @param <O> the type of the output messages
 */
public final class LiveSession<I, O> implements Iterable<O>, Flow.Publisher<O>, AutoCloseable {
  private final Codec<I> input;
  private final MessageSocket socket;
  private final LiveReader<O> outputs;
  private final JsonObject ready;
  private final Limits limits;
  private final AtomicBoolean isRead = new AtomicBoolean();

  /**
   * Creates a session that is ready.
   *
   * @param ready the first message of the service
   */
  LiveSession(Codec<I> input, MessageSocket socket, LiveReader<O> outputs, JsonObject ready) {
    this.input = input;
    this.socket = socket;
    this.outputs = outputs;
    this.ready = ready;
    limits = Limits.of(ready.get("limits"));
  }

  /**
   * Returns the id of the session in the logs of the service. The session has no execution record.
   *
   * @return the id, empty if the service did not send it
   */
  public Optional<String> executionId() {
    return ready.text("execution_id");
  }

  /**
   * Returns the limits of the session.
   *
   * @return the limits
   */
  public Limits limits() {
    return limits;
  }

  /**
   * Sends a message, and waits until it has been written. Interrupting the thread ends the wait,
   * not the session.
   *
   * @param message the message
   * @throws InvalidMessageException if it is invalid, or larger than {@link
   *     Limits#inputMessageBytes}; nothing was sent, and the session stays open
   * @throws NodeFailedException if the session has ended because the node failed
   * @throws ConnectionException if the session has ended otherwise
   * @throws CallCancelledException if the session was closed
   */
  public void send(I message) {
    Blocking.await(sendAsync(message), outputs::details);
  }

  /**
   * Sends a message after the previous ones. To keep few messages in memory, send the next one when
   * the future is complete.
   *
   * @param message the message
   * @return a future that completes when the message has been written, or with an exception that
   *     {@link #send} throws; cancelling it has no effect on the session
   */
  public CompletableFuture<Void> sendAsync(I message) {
    Objects.requireNonNull(message, "message");
    String text;
    try {
      text = input.toJson(message);
    } catch (InvalidMessageException wrong) {
      return CompletableFuture.failedFuture(wrong);
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    long longestMessage = limits.inputMessageBytes().orElse(Long.MAX_VALUE);
    if (bytes > longestMessage) {
      String problem = bytes + " bytes of JSON; the service takes " + longestMessage;
      return CompletableFuture.failedFuture(
          new InvalidMessageException("the message has " + problem));
    }
    if (outputs.hasEnded()) {
      return CompletableFuture.failedFuture(outputs.reasonOfEnd(socket.ended()));
    }
    return socket
        .send(text)
        .exceptionallyCompose(
            unsent -> CompletableFuture.failedFuture(outputs.reasonOfEnd(Call.causeOf(unsent))));
  }

  /**
   * Returns the iterator over the output. Its methods wait for the next message.
   *
   * @return the iterator
   * @throws IllegalStateException if the output is already being read
   */
  @Override
  public Iterator<O> iterator() {
    return MessageIterator.only(outputs, isRead);
  }

  /**
   * Returns the output as a sequential stream of the JDK. Closing it closes the session.
   *
   * @return the stream
   * @throws IllegalStateException if the output is already being read
   */
  public Stream<O> stream() {
    return MessageIterator.stream(iterator()).onClose(this::close);
  }

  /**
   * Adds the subscriber. If the output is already being read, it receives an {@link
   * IllegalStateException}. Cancelling the subscription closes the session.
   *
   * @param subscriber the subscriber
   */
  @Override
  public void subscribe(Flow.Subscriber<? super O> subscriber) {
    FrameSubscription.begin(outputs, subscriber, isRead);
  }

  /**
   * Passes all messages to a consumer, each after the consumer has returned from the previous one.
   * Cancelling the future closes the session.
   *
   * @param consumer receives the messages; an exception that it throws closes the session
   * @return a future that completes after the last message, or with the failure of the session or
   *     the consumer
   */
  public CompletableFuture<Void> consume(Consumer<? super O> consumer) {
    Objects.requireNonNull(consumer, "consumer");
    CompletableFuture<Void> result = new CompletableFuture<>();
    subscribe(new ConsumingSubscriber<>(consumer, result));
    return result;
  }

  /**
   * Closes the session. A reader that waits for further output receives a {@link
   * CallCancelledException}.
   */
  @Override
  public void close() {
    outputs.close();
  }

  /** Shows the id. */
  @Override
  public String toString() {
    return "session " + executionId().orElse("without an id");
  }

  /**
   * Limits of a live session. A limit that the service did not send is empty.
   *
   * @param inputMessageBytes the bytes of JSON of one message
   * @param inputBytes the bytes of JSON of all messages together
   * @param inputMessages the number of messages
   * @param outputBytes the bytes of JSON of the output
   * @param duration how long the session can last
   * @param stall the time within which each message of the service must be received
   */
  public record Limits(
      OptionalLong inputMessageBytes,
      OptionalLong inputBytes,
      OptionalLong inputMessages,
      OptionalLong outputBytes,
      Optional<Duration> duration,
      Optional<Duration> stall) {
    /** Reads the limits that the service sent. Values that are not numbers count as absent. */
    private static Limits of(Optional<JsonValue> sent) {
      JsonObject limits =
          sent.orElse(null) instanceof JsonObject fields ? fields : new JsonObject(Map.of());
      return new Limits(
          number(limits, "input_frame_bytes"),
          number(limits, "input_bytes"),
          number(limits, "input_frames"),
          number(limits, "output_bytes"),
          time(limits, "session_seconds"),
          time(limits, "stall_seconds"));
    }

    private static OptionalLong number(JsonObject limits, String name) {
      return limits.get(name).orElse(null) instanceof JsonNumber number
          ? OptionalLong.of(number.value().longValue())
          : OptionalLong.empty();
    }

    private static Optional<Duration> time(JsonObject limits, String name) {
      OptionalLong seconds = number(limits, name);
      return seconds.isPresent()
          ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
          : Optional.empty();
    }
  }
}
