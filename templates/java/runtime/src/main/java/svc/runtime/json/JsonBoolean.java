package svc.runtime.json;

/**
 * A JSON boolean.
 *
 * @param value the flag
 */
public record JsonBoolean(boolean value) implements JsonValue {
  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
