package svc.runtime.json;

import java.math.BigDecimal;
import svc.runtime.errors.InvalidMessageException;

/**
 * Any JSON ({@code google.protobuf.Value}). Its text is its JSON.
 *
 * <p>Numbers are kept exactly as they are written.
 */
public sealed interface JsonValue
    permits JsonNull, JsonBoolean, JsonNumber, JsonString, JsonArray, JsonObject {

  /**
   * Reads a JSON text.
   *
   * @param json the text
   * @return the value
   * @throws InvalidMessageException when it is not JSON
   */
  static JsonValue parse(String json) {
    return Codecs.VALUE.fromJson(json);
  }

  /**
   * Gives a text as JSON.
   *
   * @param value the text
   * @return the value
   */
  static JsonValue of(String value) {
    return new JsonString(value);
  }

  /**
   * Gives a flag as JSON.
   *
   * @param value the flag
   * @return the value
   */
  static JsonValue of(boolean value) {
    return new JsonBoolean(value);
  }

  /**
   * Gives an integer as JSON.
   *
   * @param value the integer
   * @return the value
   */
  static JsonValue of(long value) {
    return new JsonNumber(BigDecimal.valueOf(value));
  }

  /**
   * Gives a number as JSON.
   *
   * @param value the number, which is finite
   * @return the value
   */
  static JsonValue of(double value) {
    return new JsonNumber(BigDecimal.valueOf(value));
  }
}
