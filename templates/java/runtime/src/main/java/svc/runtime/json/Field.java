package svc.runtime.json;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A field of a message.
 *
 * @param jsonName its name in JSON
 * @param protoName its name in the proto
 * @param oneof the oneof of which it is a case, or null
 * @param readsNull whether null is a value of it
 * @param value gives its value, null when it is absent
 * @param setter sets its value
 * @param reader reads its value
 * @param writer writes its value
 */
record Field<M, B, V>(
    String jsonName,
    String protoName,
    String oneof,
    boolean readsNull,
    Function<M, V> value,
    BiConsumer<B, V> setter,
    Codec.Reader<V> reader,
    Codec.Writer<V> writer) {

  void read(JsonReader in, B builder) {
    V read;
    try {
      read = reader.read(in);
    } catch (Problem problem) {
      throw problem.beneath(jsonName);
    }
    setter.accept(builder, read);
  }

  /** Writes the field unless it is absent; tells whether it did. */
  boolean write(JsonWriter out, M message, boolean isFirst) {
    V present = value.apply(message);
    if (present == null) {
      return false;
    }
    if (!isFirst) {
      out.raw(',');
    }
    out.string(jsonName);
    out.raw(':');
    try {
      writer.write(out, present);
    } catch (Problem problem) {
      throw problem.beneath(jsonName);
    }
    return true;
  }
}
