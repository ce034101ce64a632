package svc.runtime.json;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * A JSON number of arbitrary precision.
 *
 * @param value the number
 */
public record JsonNumber(BigDecimal value) implements JsonValue {
  /**
   * Rejects null arguments.
   *
   * @param value the number
   */
  public JsonNumber {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
