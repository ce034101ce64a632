package svc.runtime.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;

/** A JSON object with undecoded values. */
public final class RawObject {
  private final Map<String, String> members;

  private RawObject(Map<String, String> members) {
    this.members = members;
  }

  /**
   * Parses the members of an object.
   *
   * @param json the object
   * @return its members
   * @throws InvalidMessageException if the text is not a JSON object
   */
  public static RawObject parse(String json) {
    try {
      JsonReader in = new JsonReader(json, false);
      Map<String, String> members = new LinkedHashMap<>();
      in.beginObject();
      for (String key = in.nextKey(true); key != null; key = in.nextKey(false)) {
        members.put(key, in.raw());
      }
      in.end();
      return new RawObject(members);
    } catch (Problem problem) {
      throw problem.of("object");
    }
  }

  /**
   * Parses the members of a text that may not be an object.
   *
   * @param json the text
   * @return its members, empty if it is not an object
   */
  public static Optional<RawObject> tryParse(String json) {
    try {
      return Optional.of(parse(json));
    } catch (InvalidMessageException other) {
      return Optional.empty();
    }
  }

  /**
   * Returns the JSON of a member.
   *
   * @param key its key
   * @return its JSON, empty if it is missing
   */
  public Optional<String> raw(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /**
   * Returns a string member.
   *
   * @param key its key
   * @return the string, empty if it is missing or empty
   */
  public Optional<String> text(String key) {
    String json = members.get(key);
    return json == null || json.charAt(0) != '"'
        ? Optional.empty()
        : Optional.of(Codecs.STRING.fromJson(json)).filter(text -> !text.isEmpty());
  }

  /**
   * Returns a number member, infinite if it exceeds the range of a double.
   *
   * @param key its key
   * @return the number, empty if it is missing
   */
  public Optional<Double> number(String key) {
    String json = members.get(key);
    return json == null || !JsonReader.isNumber(json)
        ? Optional.empty()
        : Optional.of(Double.parseDouble(json));
  }
}
