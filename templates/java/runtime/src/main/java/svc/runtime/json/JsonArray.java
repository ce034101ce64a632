package svc.runtime.json;

import java.util.List;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;

/**
 * A JSON array ({@code google.protobuf.ListValue}).
 *
 * @param items the items
 */
public record JsonArray(List<JsonValue> items) implements JsonValue {
  /**
   * Copies the items.
   *
   * @param items the items
   */
  public JsonArray {
    items = List.copyOf(items);
  }

  /**
   * Parses JSON.
   *
   * @param json the text
   * @return the list
   * @throws InvalidMessageException if the text is not a JSON array
   */
  public static JsonArray parse(String json) {
    return Codecs.LIST.fromJson(json);
  }

  @Override
  public String toString() {
    return Codecs.VALUE.text(this);
  }
}
