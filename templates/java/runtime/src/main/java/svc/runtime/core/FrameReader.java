package svc.runtime.core;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import svc.runtime.errors.FlowFailedException;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.NodeFailedException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.json.Codec;
import svc.runtime.json.RawObject;

/** Reads the frames of a response. */
final class FrameReader<O> {
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
   * @param isFlow whether an error in the last frame is that of a flow, not of a node
   * @param inputs the streamed input, or null
   * @throws SvcException if the response is not an event stream
   */
  FrameReader(Codec<O> output, boolean isFlow, Call call, Received head, InputLines<?> inputs) {
    if (head.events() == null) {
      throw Failures.invalidAnswer(head, "not an event stream", null);
    }
    this.output = output;
    this.isFlow = isFlow;
    this.call = call;
    this.head = head;
    this.inputs = inputs;
    executionId = head.executionId();
    executionId.ifPresent(call::concerns);
  }

  EventBody events() {
    return head.events();
  }

  /** Returns the response without its body. */
  RawAnswer response() {
    return head.raw().with("", executionId);
  }

  /** Returns the execution, by the head of the response or its frames. */
  Optional<String> executionId() {
    return executionId;
  }

  /** Decodes a frame. */
  Frame<O> read(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    RawObject fields = fieldsOf(data, text);
    if (executionId.isEmpty()) {
      executionId = fields.text("execution_id");
      executionId.ifPresent(call::concerns);
    }
    Received frame = received(text);
    boolean isLast = isTrue(fields, "is_final");
    Optional<String> payload = fields.raw("payload");
    if (payload.isEmpty() && !isLast) {
      String index = fields.raw("frame_index").map(number -> " " + number).orElse("");
      throw Failures.invalidAnswer(frame, "frame" + index + " has no payload", null);
    }
    return new Frame<>(
        payload.map(json -> NodeEndpoint.read(output, json, frame)),
        isLast,
        isLast ? failureOf(fields, frame) : Optional.empty());
  }

  /** Returns the exception for a response that ended without its last frame. */
  StreamInterruptedException cutOff(Throwable cause) {
    String reason =
        cause == null ? "there was no last frame" : Failures.reasonOf(cause, head.key());
    return new StreamInterruptedException(
        "the stream was cut off: " + reason,
        received("").details().build(),
        head.key().redact(cause));
  }

  private RawObject fieldsOf(byte[] data, String text) {
    if (!Exchange.isUtf8(data, text)) {
      throw Failures.invalidAnswer(received(text), "a frame is not UTF-8", null);
    }
    try {
      return RawObject.parse(text);
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidAnswer(received(text), wrong.getMessage(), wrong);
    }
  }

  /** Returns the exception that the last frame asks for. */
  private Optional<SvcException> failureOf(RawObject fields, Received frame) {
    String run = executionId.map(id -> " (execution " + id + ")").orElse("");
    if (!isTrue(fields, "success")) {
      String message = frame.key().redact(fields.text("error").orElse("no error message") + run);
      return Optional.of(
          isFlow
              ? new FlowFailedException(message, frame.details().build())
              : new NodeFailedException(message, frame.details().build()));
    }
    if (inputs == null) {
      return Optional.empty();
    }
    String received = fields.raw("input_frames").orElse("an unknown number");
    if (received.equals(Long.toString(inputs.sent()))) {
      return Optional.empty();
    }
    String message =
        "the service received " + received + " of " + inputs.sent() + " input messages" + run;
    return Optional.of(
        new StreamInterruptedException(frame.key().redact(message), frame.details().build(), null));
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
