package svc.runtime.json;

/**
 * A flag of JSON.
 *
 * @param value the flag
 */
public record JsonBoolean(boolean value) implements JsonValue {
  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
