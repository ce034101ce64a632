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

  /** Compares the numbers: 1.50 equals 1.5. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JsonNumber that && value.compareTo(that.value) == 0;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(value.doubleValue());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
