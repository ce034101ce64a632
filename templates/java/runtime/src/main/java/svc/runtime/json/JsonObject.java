package svc.runtime.json;

import java.util.Map;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;
import svc.runtime.internal.Immutable;

/**
 * A JSON object ({@code google.protobuf.Struct}, or {@code google.protobuf.Any} with its type URL
 * in {@code @type}).
 *
 * @param members the values by their keys
 */
public record JsonObject(Map<String, JsonValue> members) implements JsonValue {
  /**
   * Copies the members.
   *
   * @param members the values by their keys
   */
  public JsonObject {
    members = Immutable.copyOf(members, "members");
  }

  /**
   * Parses JSON.
   *
   * @param json the text
   * @return the object
   * @throws InvalidMessageException if the text is not a JSON object
   */
  public static JsonObject parse(String json) {
    return Codecs.STRUCT.fromJson(json);
  }

  /**
   * Returns a member.
   *
   * @param key its key
   * @return its value, empty if it is missing
   */
  public Optional<JsonValue> get(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /**
   * Returns a string member.
   *
   * @param key its key
   * @return the text, empty if it is missing or empty
   */
  public Optional<String> text(String key) {
    return members.get(key) instanceof JsonString text && !text.value().isEmpty()
        ? Optional.of(text.value())
        : Optional.empty();
  }

  @Override
  public String toString() {
    return Codecs.VALUE.text(this);
  }
}
