package svc.runtime.core;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import svc.runtime.errors.ErrorDetails;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codec;
import svc.runtime.internal.RawObject;

/** Reads the frames of a response. */
final class FrameReader<O> {
  /** The maximum length of a frame. Frames of the service are at most half as long. */
  static final int LONGEST_FRAME = 32 << 20;

  private final Codec<O> output;
  private final boolean isFlow;
  private final Call call;
  private final Received head;

  /** The streamed input, or null. */
  private final InputLines<?> inputs;

  private volatile Optional<String> executionId;

  /**
   * Creates a reader.
   *
   * @param isFlow whether an error in the last frame is that of a flow rather than a node
   * @param head the response, or the first message of a socket
   * @param inputs the streamed input, or null
   */
  FrameReader(Codec<O> output, boolean isFlow, Call call, Received head, InputLines<?> inputs) {
    this.output = output;
    this.isFlow = isFlow;
    this.call = call;
    this.head = head;
    this.inputs = inputs;
    executionId = head.executionId();
    executionId.ifPresent(call::concerns);
  }

  /**
   * Returns a reader of an event stream.
   *
   * @throws SvcException if the response is not one
   */
  static <T> FrameReader<T> ofEvents(
      Codec<T> output, boolean isFlow, Call call, Received head, InputLines<?> inputs) {
    if (head.events() == null) {
      throw Failures.invalidResponse(head, "not an event stream");
    }
    return new FrameReader<>(output, isFlow, call, head, inputs);
  }

  /** Returns the body of the response, or null if it has none. */
  EventBody events() {
    return head.events();
  }

  /** Returns the response without its body. */
  ServiceResponse response() {
    return head.raw().with("", executionId);
  }

  /** Returns the execution, as named by the head of the response or its frames. */
  Optional<String> executionId() {
    return executionId;
  }

  /** Returns the exception for a frame that is too long. */
  SvcException tooLong() {
    return Failures.invalidResponse(
        received(""), "a frame is longer than " + LONGEST_FRAME + " bytes");
  }

  /** Decodes a frame. */
  Frame<O> read(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    if (!Exchange.isUtf8(data, text)) {
      throw Failures.invalidResponse(received(text), "a frame is not UTF-8");
    }
    return read(text);
  }

  /** Decodes a frame. */
  Frame<O> read(String text) {
    RawObject fields = received(text).fields();
    if (executionId.isEmpty()) {
      executionId = fields.text("execution_id");
      executionId.ifPresent(call::concerns);
    }
    Received frame = received(text);
    boolean isLast = isTrue(fields, "is_final");
    Optional<String> payload = fields.raw("payload");
    if (payload.isEmpty() && !isLast) {
      String index = fields.raw("frame_index").map(number -> " " + number).orElse("");
      throw Failures.invalidResponse(frame, "frame" + index + " has no payload");
    }
    return new Frame<>(
        payload.map(json -> NodeEndpoint.read(output, json, frame)),
        isLast,
        isLast ? failureOf(fields, frame) : Optional.empty());
  }

  /**
   * Returns the exception for a response that ended without its last frame.
   *
   * @param cause why it ended, or null if it ended normally
   */
  StreamInterruptedException cutOff(Throwable cause) {
    ErrorDetails details = received("").details().build();
    String reason =
        cause == null ? "there was no last frame" : Failures.reasonOf(cause, head.key());
    String origin = Failures.origin("", executionId, head.raw().requestId());
    String message = "the stream was cut off: " + reason + origin;
    return cause == null
        ? new StreamInterruptedException(message, details)
        : new StreamInterruptedException(message, details, head.key().redact(cause));
  }

  /** Returns the exception for the error in the last frame, if any. */
  private Optional<SvcException> failureOf(RawObject fields, Received frame) {
    if (!isTrue(fields, "success")) {
      String origin = Failures.origin("", executionId, head.raw().requestId());
      String message = frame.key().redact(fields.text("error").orElse("no error message") + origin);
      return Optional.of(
          isFlow
              ? new FlowFailedException(message, frame.details().build())
              : new NodeFailedException(message, frame.details().build()));
    }
    return inputs == null ? Optional.empty() : inputs.lossIn(fields, frame);
  }

  /** Returns the response with a frame as its body, for exceptions about it. */
  private Received received(String frame) {
    return new Received(head.raw().with(frame, executionId), head.key(), null);
  }

  private static boolean isTrue(RawObject fields, String key) {
    return fields.raw(key).filter("true"::equals).isPresent();
  }

  /**
   * A frame.
   *
   * @param message its message; only the last frame may have none
   * @param failure the failure of the stream, in its last frame
   */
  record Frame<O>(Optional<O> message, boolean isLast, Optional<SvcException> failure) {}
}
