package svc.runtime.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Collects the fields of a message. Generated messages name theirs.
 *
 * @param <M> the type of the message
 * @param <B> the type of its builder
 */
public final class MessageFields<M, B> {
  private final List<Field<M, B, ?>> fields = new ArrayList<>();

  MessageFields() {}

  List<Field<M, B, ?>> list() {
    return fields;
  }

  /**
   * Adds a field without presence: its default value means absence.
   *
   * @param jsonName its name in JSON
   * @param protoName its name in the proto
   * @param codec its codec
   * @param getter its getter
   * @param setter its setter
   * @param <T> its type
   */
  public <T> void single(
      String jsonName,
      String protoName,
      Codec<T> codec,
      Function<M, T> getter,
      BiConsumer<B, T> setter) {
    Function<M, T> value =
        message -> {
          T present = getter.apply(message);
          return codec.isDefault.test(present) ? null : present;
        };
    add(jsonName, protoName, null, codec, value, setter);
  }

  /**
   * Adds a field with presence.
   *
   * @param jsonName its name in JSON
   * @param protoName its name in the proto
   * @param codec its codec
   * @param getter its getter
   * @param setter its setter
   * @param <T> its type
   */
  public <T> void optional(
      String jsonName,
      String protoName,
      Codec<T> codec,
      Function<M, Optional<T>> getter,
      BiConsumer<B, T> setter) {
    Function<M, T> value = message -> getter.apply(message).orElse(null);
    add(jsonName, protoName, null, codec, value, setter);
  }

  /**
   * Adds a case of a oneof, of which at most one is set.
   *
   * @param oneof the name of the oneof
   * @param jsonName its name in JSON
   * @param protoName its name in the proto
   * @param codec its codec
   * @param getter its getter
   * @param setter its setter
   * @param <T> its type
   */
  public <T> void choice(
      String oneof,
      String jsonName,
      String protoName,
      Codec<T> codec,
      Function<M, Optional<T>> getter,
      BiConsumer<B, T> setter) {
    add(jsonName, protoName, oneof, codec, message -> getter.apply(message).orElse(null), setter);
  }

  /**
   * Sets a field of a oneof if it is the chosen one.
   *
   * @param chosen the case of the oneof, with its value
   * @param type the case of the field
   * @param value returns the value of the case
   * @param setter sets the field
   * @param <C> the case of the field
   * @param <T> the type of the field
   */
  public static <C, T> void choose(
      Object chosen, Class<C> type, Function<C, T> value, Consumer<T> setter) {
    if (type.isInstance(chosen)) {
      setter.accept(value.apply(type.cast(chosen)));
    }
  }

  /**
   * Adds a list.
   *
   * @param jsonName its name in JSON
   * @param protoName its name in the proto
   * @param codec the codec of the items
   * @param getter its getter
   * @param setter its setter
   * @param <T> the type of an item
   */
  public <T> void repeated(
      String jsonName,
      String protoName,
      Codec<T> codec,
      Function<M, List<T>> getter,
      BiConsumer<B, List<T>> setter) {
    fields.add(
        new Field<>(
            jsonName,
            protoName,
            null,
            false,
            message -> {
              List<T> items = getter.apply(message);
              return items.isEmpty() ? null : items;
            },
            setter,
            in -> readList(in, codec),
            (out, items) -> writeList(out, items, codec)));
  }

  /**
   * Adds a map.
   *
   * @param jsonName its name in JSON
   * @param protoName its name in the proto
   * @param keys the codec of the keys
   * @param codec the codec of the values
   * @param getter its getter
   * @param setter its setter
   * @param <K> the type of a key
   * @param <T> the type of a value
   */
  public <K, T> void map(
      String jsonName,
      String protoName,
      MapKey<K> keys,
      Codec<T> codec,
      Function<M, Map<K, T>> getter,
      BiConsumer<B, Map<K, T>> setter) {
    fields.add(
        new Field<>(
            jsonName,
            protoName,
            null,
            false,
            message -> {
              Map<K, T> entries = getter.apply(message);
              return entries.isEmpty() ? null : entries;
            },
            setter,
            in -> readMap(in, keys, codec),
            (out, entries) -> writeMap(out, entries, codec)));
  }

  private <T> void add(
      String jsonName,
      String protoName,
      String oneof,
      Codec<T> codec,
      Function<M, T> value,
      BiConsumer<B, T> setter) {
    fields.add(
        new Field<>(
            jsonName,
            protoName,
            oneof,
            // Null in a field of the type NullValue means absence, unless it chooses a oneof.
            codec.readsNull && (oneof != null || codec.reader != Codecs.NULL.reader),
            value,
            setter,
            codec.reader,
            codec.writer));
  }

  private static <T> List<T> readList(JsonReader in, Codec<T> codec) {
    List<T> items = new ArrayList<>();
    in.beginList();
    for (boolean isFirst = true; in.hasNextItem(isFirst); isFirst = false) {
      try {
        items.add(codec.reader.read(in));
      } catch (Problem problem) {
        throw problem.beneath(items.size());
      }
    }
    return items;
  }

  private static <T> void writeList(JsonWriter out, List<T> items, Codec<T> codec) {
    out.begin('[');
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      try {
        codec.writer.write(out, items.get(i));
      } catch (Problem problem) {
        throw problem.beneath(i);
      }
    }
    out.end(']');
  }

  private static <K, T> Map<K, T> readMap(JsonReader in, MapKey<K> keys, Codec<T> codec) {
    Map<K, T> entries = new LinkedHashMap<>();
    in.beginObject();
    for (String key = in.nextKey(true); key != null; key = in.nextKey(false)) {
      try {
        if (entries.put(keys.parse(key), codec.reader.read(in)) != null) {
          throw new Problem("the key is given twice");
        }
      } catch (Problem problem) {
        throw problem.beneath(key);
      }
    }
    return entries;
  }

  private static <K, T> void writeMap(JsonWriter out, Map<K, T> entries, Codec<T> codec) {
    out.begin('{');
    boolean isFirst = true;
    for (Map.Entry<K, T> entry : entries.entrySet()) {
      if (!isFirst) {
        out.raw(',');
      }
      isFirst = false;
      String key = entry.getKey().toString();
      out.string(key);
      out.raw(':');
      try {
        codec.writer.write(out, entry.getValue());
      } catch (Problem problem) {
        throw problem.beneath(key);
      }
    }
    out.end('}');
  }
}
