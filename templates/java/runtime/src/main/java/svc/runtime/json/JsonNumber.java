package svc.runtime.json;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * A number of JSON, exact.
 *
 * @param value the number
 */
public record JsonNumber(BigDecimal value) implements JsonValue {
  /**
   * Checks that nothing is null.
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
