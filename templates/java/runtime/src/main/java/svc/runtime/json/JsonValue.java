package svc.runtime.json;

import java.math.BigDecimal;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;

/**
 * A JSON value ({@code google.protobuf.Value}). {@code toString} returns JSON.
 *
 * <p>Numbers keep their exact decimal value.
 */
public sealed interface JsonValue
    permits JsonNull, JsonBoolean, JsonNumber, JsonString, JsonArray, JsonObject {

  /**
   * Parses JSON.
   *
   * @param json the text
   * @return the value
   * @throws InvalidMessageException if the text is not JSON
   */
  static JsonValue parse(String json) {
    return Codecs.VALUE.fromJson(json);
  }

  /**
   * Returns a string as JSON.
   *
   * @param value the text
   * @return the value
   */
  static JsonValue of(String value) {
    return new JsonString(value);
  }

  /**
   * Returns a boolean as JSON.
   *
   * @param value the flag
   * @return the value
   */
  static JsonValue of(boolean value) {
    return new JsonBoolean(value);
  }

  /**
   * Returns an integer as JSON.
   *
   * @param value the integer
   * @return the value
   */
  static JsonValue of(long value) {
    return new JsonNumber(BigDecimal.valueOf(value));
  }

  /**
   * Returns a number as JSON.
   *
   * @param value a finite number
   * @return the value
   * @throws InvalidMessageException if it is infinite or not a number
   */
  static JsonValue of(double value) {
    if (!Double.isFinite(value)) {
      throw new InvalidMessageException("JSON has no number " + value);
    }
    return new JsonNumber(BigDecimal.valueOf(value));
  }
}
