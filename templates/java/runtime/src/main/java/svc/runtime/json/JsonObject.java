package svc.runtime.json;

import java.util.Map;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;

/**
 * An object of JSON ({@code google.protobuf.Struct}, and {@code google.protobuf.Any} with its type
 * under the key {@code @type}).
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
    members = Immutable.copyOf(members);
  }

  /**
   * Reads a JSON text.
   *
   * @param json the text
   * @return the object
   * @throws InvalidMessageException when it is not JSON, or no object
   */
  public static JsonObject parse(String json) {
    return Codecs.STRUCT.fromJson(json);
  }

  /**
   * Gives a member.
   *
   * @param key its key
   * @return its value, empty when there is none
   */
  public Optional<JsonValue> get(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /**
   * Gives a member that is a text.
   *
   * @param key its key
   * @return the text, empty when there is none or it is empty
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
