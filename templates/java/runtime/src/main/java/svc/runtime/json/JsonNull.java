package svc.runtime.json;

/** JSON's null ({@code google.protobuf.NullValue}): a value of its own, not absence. */
public enum JsonNull implements JsonValue {
  /** The one value. */
  INSTANCE;

  @Override
  public String toString() {
    return "null";
  }
}
