package svc.runtime.json;

/** JSON null ({@code google.protobuf.NullValue}), as opposed to absence. */
public enum JsonNull implements JsonValue {
  /** The only value. */
  INSTANCE;

  @Override
  public String toString() {
    return "null";
  }
}
