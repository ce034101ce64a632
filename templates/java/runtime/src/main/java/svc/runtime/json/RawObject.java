package svc.runtime.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;

/** A JSON object whose values are yet to be read: each is its own text. */
public final class RawObject {
  private final Map<String, String> members;

  private RawObject(Map<String, String> members) {
    this.members = members;
  }

  /**
   * Reads the members of an object.
   *
   * @param json the object
   * @return its members
   * @throws InvalidMessageException when it is not JSON, or no object
   */
  public static RawObject parse(String json) {
    try {
      JsonReader in = new JsonReader(json);
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
   * Reads the members of a text that may be no object.
   *
   * @param json the text
   * @return its members, empty when it is no object
   */
  public static Optional<RawObject> tryParse(String json) {
    try {
      return Optional.of(parse(json));
    } catch (InvalidMessageException other) {
      return Optional.empty();
    }
  }

  /**
   * Gives the text of a member.
   *
   * @param key its key
   * @return its JSON, empty when there is none
   */
  public Optional<String> raw(String key) {
    return Optional.ofNullable(members.get(key));
  }

  /**
   * Gives a member that is a string.
   *
   * @param key its key
   * @return the string, empty when there is none or it is empty
   */
  public Optional<String> text(String key) {
    String json = members.get(key);
    return json == null || json.charAt(0) != '"'
        ? Optional.empty()
        : Optional.of(Codecs.STRING.fromJson(json)).filter(text -> !text.isEmpty());
  }

  /**
   * Gives a member that is a number, infinite when no double holds it.
   *
   * @param key its key
   * @return the number, empty when there is none
   */
  public Optional<Double> number(String key) {
    String json = members.get(key);
    return json == null || !JsonReader.isNumber(json)
        ? Optional.empty()
        : Optional.of(Double.parseDouble(json));
  }
}
