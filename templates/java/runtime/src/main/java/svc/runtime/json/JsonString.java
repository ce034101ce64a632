package svc.runtime.json;

import java.util.Objects;
import svc.runtime.internal.Codecs;

/**
 * A JSON string.
 *
 * @param value the text
 */
public record JsonString(String value) implements JsonValue {
  /**
   * Rejects null arguments.
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
