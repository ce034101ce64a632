package svc.runtime.internal;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A field of a message.
 *
 * @param jsonName its name in JSON
 * @param protoName its name in the proto
 * @param oneof the oneof that contains it, or null
 * @param readsNull whether null is a value rather than absence
 * @param value returns its value, or null if it is absent
 * @param setter sets its value
 * @param reader decodes its value
 * @param writer encodes its value
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

  /** Encodes the field unless it is absent. Returns whether it was present. */
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
