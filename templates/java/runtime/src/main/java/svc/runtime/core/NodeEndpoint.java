package svc.runtime.core;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codec;

/**
 * Descriptor of a node.
 *
 * @param path its path relative to the base URL
 */
record NodeEndpoint<I, O>(String path, Codec<I> input, Codec<O> output) {
  CompletableFuture<O> call(ServiceConnection connection, I value, CallOptions options) {
    Objects.requireNonNull(value, "input");
    return Call.start(
        connection,
        options,
        call -> {
          String body = input.toJson(value);
          return Exchange.post(call, path, () -> body)
              .thenApply(response -> read(output, response.body(), response));
        });
  }

  /** Calls a pipeline node with one message. */
  StreamCall<O> stream(ServiceConnection connection, I value, CallOptions options) {
    Objects.requireNonNull(value, "input");
    return new StreamCall<>(
        connection,
        connection.settings().with(options).ofStream(true),
        call -> {
          String body = input.toJson(value);
          return Exchange.stream(call, path, () -> body)
              .thenApply(head -> FrameReader.ofEvents(output, false, call, head, null));
        });
  }

  /** Calls a pipeline node with the messages of a source, which can be read only once. */
  StreamCall<O> upload(
      ServiceConnection connection, Iterable<? extends I> values, CallOptions options) {
    Objects.requireNonNull(values, "inputs");
    return new StreamCall<>(
        connection,
        connection.settings().with(options).ofStream(false),
        call -> {
          InputLines<I> lines = new InputLines<>(input, values, call);
          return Exchange.upload(call, path, lines)
              .thenApply(head -> FrameReader.ofEvents(output, false, call, head, lines));
        });
  }

  /** Decodes the output in a response. */
  static <T> T read(Codec<T> codec, String json, Received response) {
    try {
      return codec.fromJson(json);
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(response, wrong.getMessage(), wrong);
    }
  }
}
