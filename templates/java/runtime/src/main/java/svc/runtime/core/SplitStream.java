package svc.runtime.core;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.errors.StatusException;
import svc.runtime.errors.StreamInterruptedException;
import svc.runtime.errors.SvcException;
import svc.runtime.internal.Codecs;

/**
 * A stream of a pipeline node whose input and output travel in separate requests, possibly of
 * several programs. It accepts one upload and any number of readers, for ten minutes. It is
 * thread-safe.
 *
 * @param <I> the type of the input messages
 * @param <O> the type of the output messages
 */
public final class SplitStream<I, O> {
  private static final String NODES = "/invocations/v1/nodes/";
  private static final String STREAMS = NODES + "streams";
  private static final Pattern ID = Pattern.compile("[0-9A-Za-z_-]+");

  private final ServiceConnection connection;
  private final NodeEndpoint<I, O> node;
  private final String id;

  /**
   * Creates a handle. Sends no request.
   *
   * @throws InvalidMessageException if the id is malformed
   */
  SplitStream(ServiceConnection connection, NodeEndpoint<I, O> node, String id) {
    if (!ID.matcher(id).matches()) {
      throw new InvalidMessageException("the id of a stream must be of letters, digits, - and _");
    }
    this.connection = connection;
    this.node = node;
    this.id = id;
  }

  /** Creates a stream of a node. */
  static <I, O> CompletableFuture<SplitStream<I, O>> create(
      ServiceConnection connection, NodeEndpoint<I, O> node, CallOptions options) {
    String reference = URI.create(node.path()).getPath().substring(NODES.length());
    String body = "{\"node_ref\":" + Codecs.STRING.toJson(reference) + "}";
    return Call.start(
        connection,
        options,
        call ->
            Exchange.post(call, STREAMS, () -> body)
                .thenApply(response -> new SplitStream<>(connection, node, idOf(response))));
  }

  /**
   * Returns the id of the stream. Other programs can read the stream by its id.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Uploads the input messages and waits until the output is stored. The messages are read on a
   * separate thread as they are sent. A stream accepts one upload. The output says whether the node
   * failed. The upload ends at its timeout, even if the source never returns. The HTTP client of
   * the JDK reads the response only after all messages have been sent, so a rejection is not
   * noticed earlier.
   *
   * @param inputs the input messages
   * @return what the service received
   * @throws StatusException if there was an earlier upload (409), or if the service rejects this
   *     one
   * @throws StreamInterruptedException if the service did not receive all messages
   * @throws SvcException if the call fails otherwise
   */
  public SplitUpload upload(Iterable<? extends I> inputs) {
    return upload(inputs, CallOptions.none());
  }

  /**
   * Uploads the input messages and waits until the output is stored. The messages are read on a
   * separate thread as they are sent. A stream accepts one upload. The output says whether the node
   * failed. The upload ends at its timeout, even if the source never returns. The HTTP client of
   * the JDK reads the response only after all messages have been sent, so a rejection is not
   * noticed earlier.
   *
   * @param inputs the input messages
   * @param options the options of this call
   * @return what the service received
   * @throws StatusException if there was an earlier upload (409), or if the service rejects this
   *     one
   * @throws StreamInterruptedException if the service did not receive all messages
   * @throws SvcException if the call fails otherwise
   */
  public SplitUpload upload(Iterable<? extends I> inputs, CallOptions options) {
    return Blocking.await(() -> uploadAsync(inputs, options));
  }

  /**
   * Uploads the input messages, which are read on a separate thread as they are sent. A stream
   * accepts one upload. Cancelling the future ends the upload, even if the source never returns.
   * The HTTP client of the JDK reads the response only after all messages have been sent, so a
   * rejection is not noticed earlier.
   *
   * @param inputs the input messages
   * @return what the service received, once the output is stored
   */
  public CompletableFuture<SplitUpload> uploadAsync(Iterable<? extends I> inputs) {
    return uploadAsync(inputs, CallOptions.none());
  }

  /**
   * Uploads the input messages, which are read on a separate thread as they are sent. A stream
   * accepts one upload. Cancelling the future ends the upload, even if the source never returns.
   * The HTTP client of the JDK reads the response only after all messages have been sent, so a
   * rejection is not noticed earlier.
   *
   * @param inputs the input messages
   * @param options the options of this call
   * @return what the service received, once the output is stored
   */
  public CompletableFuture<SplitUpload> uploadAsync(
      Iterable<? extends I> inputs, CallOptions options) {
    Objects.requireNonNull(inputs, "inputs");
    Objects.requireNonNull(options, "options");
    CompletableFuture<SplitUpload> result = new CompletableFuture<>();
    Call.start(
        connection,
        connection.settings().with(options).ofStream(false),
        result,
        call -> {
          InputLines<I> lines = new InputLines<>(node.input(), inputs, call);
          return Exchange.uploadToStream(call, STREAMS + "/" + id + "/input", lines)
              .thenApply(response -> uploaded(response, lines));
        });
    return result;
  }

  /**
   * Returns the output from its beginning. Reading resumes by itself after a lost connection. No
   * request is sent before the output is read. Closing it only stops reading.
   *
   * @return the output
   */
  public FrameStream<O> output() {
    return output(CallOptions.none());
  }

  /**
   * Returns the output from its beginning. Reading resumes by itself after a lost connection. No
   * request is sent before the output is read. Closing it only stops reading.
   *
   * @param options the options of this call
   * @return the output
   */
  public FrameStream<O> output(CallOptions options) {
    return new FrameStream<>(read("", options));
  }

  /**
   * Returns the output after an event, as {@link #output()} does.
   *
   * @param eventId the id of the event, which {@link FrameStream#lastEventId} returns
   * @return the output
   * @throws InvalidMessageException if the id is malformed
   */
  public FrameStream<O> outputAfter(String eventId) {
    return outputAfter(eventId, CallOptions.none());
  }

  /**
   * Returns the output after an event, as {@link #output()} does.
   *
   * @param eventId the id of the event, which {@link FrameStream#lastEventId} returns
   * @param options the options of this call
   * @return the output
   * @throws InvalidMessageException if the id is malformed
   */
  public FrameStream<O> outputAfter(String eventId, CallOptions options) {
    return new FrameStream<>(read(eventId, options));
  }

  /**
   * Returns the output from its beginning. Reading resumes by itself after a lost connection. No
   * request is sent before the output is read. Closing it only stops reading.
   *
   * @return the output
   */
  public AsyncFrameStream<O> outputAsync() {
    return outputAsync(CallOptions.none());
  }

  /**
   * Returns the output from its beginning. Reading resumes by itself after a lost connection. No
   * request is sent before the output is read. Closing it only stops reading.
   *
   * @param options the options of this call
   * @return the output
   */
  public AsyncFrameStream<O> outputAsync(CallOptions options) {
    return new AsyncFrameStream<>(read("", options));
  }

  /**
   * Returns the output after an event, as {@link #outputAsync()} does.
   *
   * @param eventId the id of the event, which {@link AsyncFrameStream#lastEventId} returns
   * @return the output
   * @throws InvalidMessageException if the id is malformed
   */
  public AsyncFrameStream<O> outputAfterAsync(String eventId) {
    return outputAfterAsync(eventId, CallOptions.none());
  }

  /**
   * Returns the output after an event, as {@link #outputAsync()} does.
   *
   * @param eventId the id of the event, which {@link AsyncFrameStream#lastEventId} returns
   * @param options the options of this call
   * @return the output
   * @throws InvalidMessageException if the id is malformed
   */
  public AsyncFrameStream<O> outputAfterAsync(String eventId, CallOptions options) {
    return new AsyncFrameStream<>(read(eventId, options));
  }

  /** Shows the id. */
  @Override
  public String toString() {
    return "stream " + id;
  }

  private StreamCall<O> read(String after, CallOptions options) {
    Objects.requireNonNull(options, "options");
    if (!Checks.isPrintable(Objects.requireNonNull(after, "eventId"))) {
      throw new InvalidMessageException(
          "the id of an event must contain only printable ASCII characters");
    }
    return new StreamCall<>(
        connection,
        connection.settings().with(options).ofStream(true),
        new OutputRequest<>(STREAMS + "/" + id + "/output", after, node.output()));
  }

  /** Returns the id in the response to a creation. */
  private static String idOf(Received response) {
    return response
        .fields()
        .text("stream_id")
        .filter(text -> ID.matcher(text).matches())
        .orElseThrow(() -> Failures.invalidResponse(response, "stream_id is missing or malformed"));
  }

  private static SplitUpload uploaded(Received response, InputLines<?> lines) {
    Optional<SvcException> loss = lines.lossIn(response.fields(), response);
    if (loss.isPresent()) {
      throw loss.get();
    }
    String executionId =
        response
            .executionId()
            .orElseThrow(() -> Failures.invalidResponse(response, "execution_id is missing"));
    return new SplitUpload(executionId, lines.sent());
  }
}
