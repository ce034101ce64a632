package svc.runtime.core;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.Codec;

/**
 * Descriptor of a node.
 *
 * @param path its path relative to the base URL
 */
record NodeEndpoint<I, O>(String path, Codec<I> input, Codec<O> output) {
  CompletableFuture<O> call(Connection connection, I value, CallOptions options) {
    Objects.requireNonNull(value, "input");
    return Call.start(
        connection,
        options,
        call -> {
          String body = input.toJson(value);
          return Exchange.post(call, path, () -> body)
              .thenApply(answer -> read(output, answer.body(), answer));
        });
  }

  /** Decodes the output in a response. */
  static <T> T read(Codec<T> codec, String json, Received answer) {
    try {
      return codec.fromJson(json);
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidAnswer(answer, wrong.getMessage(), wrong);
    }
  }
}
