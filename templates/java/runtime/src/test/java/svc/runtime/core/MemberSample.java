package svc.runtime.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import svc.runtime.errors.TenantSuspendedException;
import svc.runtime.json.JsonArray;
import svc.runtime.json.JsonNull;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/**
 * A sample input and output of a member as ProtoJSON.
 *
 * @param input the input
 * @param output the output
 */
public record MemberSample(String input, String output) {
  /**
   * Reads the samples of members, keyed by method, from {@code samples.json} in the package of a
   * test.
   */
  public static Map<String, MemberSample> beside(Class<?> test) {
    try (InputStream file = test.getResourceAsStream("samples.json")) {
      String json = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Map<String, MemberSample> samples = new HashMap<>();
      JsonObject.parse(json)
          .members()
          .forEach((method, sample) -> samples.put(method, of((JsonObject) sample)));
      return samples;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static MemberSample of(JsonObject sample) {
    return new MemberSample(
        sample.get("input").orElseThrow().toString(),
        sample.get("output").orElseThrow().toString());
  }

  /** Returns the request that runs a flow with the input and waits. */
  public String invocation(String graphId) {
    return "{\"graph_id\":"
        + JsonValue.of(graphId)
        + (",\"input\":" + input)
        + ",\"wait\":true,\"timeout_seconds\":50}";
  }

  /** Returns the response of a run that completed with the output. */
  public String ended() {
    String result = "{\"success\":true,\"output\":" + output + "}";
    return "{\"execution_id\":\"0123456789abcdef0123456789abcdef\",\"result\":" + result + "}";
  }

  /** Returns the request that runs a pipeline flow with the input. */
  public String streamInvocation(String graphId) {
    return "{\"graph_id\":"
        + JsonValue.of(graphId)
        + (",\"input\":" + input)
        + ",\"timeout_seconds\":300}";
  }

  /** Returns the response of a stream that has the output twice. */
  public String frames() {
    String frame = "data: {\"payload\":" + output + ",\"is_final\":false}\n\n";
    String last = "data: {\"is_final\":true,\"success\":true,\"input_frames\":2}\n\n";
    return frame + frame + last;
  }

  /** Checks and closes a stream that has the output twice. */
  public <T> void assertStreamed(FrameStream<T> stream, Function<T, String> toJson) {
    try (stream) {
      List<String> outputs = stream.stream().map(toJson).toList();
      assertEquals(2, outputs.size());
      outputs.forEach(this::assertOutput);
    }
  }

  /** Checks that the request of a stream is rejected. */
  public static void assertRefused(FrameStream<?> stream) {
    assertThrows(TenantSuspendedException.class, stream::response);
  }

  /** Checks the output of a call. */
  public void assertOutput(String json) {
    assertSame(output, json);
  }

  /** Checks that two messages are the same. A field that is null is absent. */
  static void assertSame(String expected, String json) {
    assertEquals(withoutNulls(JsonValue.parse(expected)), withoutNulls(JsonValue.parse(json)));
  }

  private static JsonValue withoutNulls(JsonValue value) {
    if (value instanceof JsonArray array) {
      return new JsonArray(array.items().stream().map(MemberSample::withoutNulls).toList());
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    Map<String, JsonValue> members = new LinkedHashMap<>();
    object
        .members()
        .forEach(
            (key, member) -> {
              if (member != JsonNull.INSTANCE) {
                members.put(key, withoutNulls(member));
              }
            });
    return new JsonObject(members);
  }
}
