package svc.runtime.json;

import java.util.Objects;

/**
 * A text of JSON.
 *
 * @param value the text
 */
public record JsonString(String value) implements JsonValue {
  /**
   * Checks that nothing is null.
   *
   * @param value the text
   */
  public JsonString {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return Codecs.VALUE.text(this);
  }
}
