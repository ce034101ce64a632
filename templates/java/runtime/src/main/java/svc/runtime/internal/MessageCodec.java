package svc.runtime.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads and writes messages of one type. */
final class MessageCodec<M, B> {
  private final Supplier<B> builder;
  private final Function<B, M> build;
  private final Consumer<MessageFields<M, B>> describe;
  private volatile Table<M, B> table;

  MessageCodec(Supplier<B> builder, Function<B, M> build, Consumer<MessageFields<M, B>> describe) {
    this.builder = builder;
    this.build = build;
    this.describe = describe;
  }

  M read(JsonReader in) {
    Table<M, B> known = table();
    B made = builder.get();
    Map<String, Field<M, B, ?>> chosen = known.hasOneofs ? new HashMap<>() : Map.of();
    Set<Field<M, B, ?>> seen = new HashSet<>();
    in.beginObject();
    for (String key = in.nextKey(true); key != null; key = in.nextKey(false)) {
      Field<M, B, ?> field = known.byName.get(key);
      if (field == null) {
        in.skipField(key);
        continue;
      }
      if (!seen.add(field)) {
        throw new Problem("the field is given twice").beneath(field.jsonName());
      }
      if (field.readsNull() || !in.takeNull()) {
        if (field.oneof() != null) {
          Field<M, B, ?> before = chosen.putIfAbsent(field.oneof(), field);
          if (before != null && before != field) {
            throw manyCases(field);
          }
        }
        field.read(in, made);
      }
    }
    return build.apply(made);
  }

  /** Returns a value that is equal for equal messages. */
  Object identityOf(M message) {
    List<Object> values = new ArrayList<>();
    for (Field<M, B, ?> field : table().fields) {
      values.add(field.value().apply(message));
    }
    return values;
  }

  void write(JsonWriter out, M message) {
    Table<M, B> known = table();
    Set<String> chosen = known.hasOneofs ? new HashSet<>() : Set.of();
    out.begin('{');
    boolean isFirst = true;
    for (Field<M, B, ?> field : known.fields) {
      if (field.write(out, message, isFirst)) {
        isFirst = false;
        if (field.oneof() != null && !chosen.add(field.oneof())) {
          throw manyCases(field);
        }
      }
    }
    out.end('}');
  }

  private static Problem manyCases(Field<?, ?, ?> field) {
    return new Problem("more than one field of " + field.oneof() + " is set")
        .beneath(field.jsonName());
  }

  private Table<M, B> table() {
    Table<M, B> known = table;
    if (known == null) {
      MessageFields<M, B> fields = new MessageFields<>();
      describe.accept(fields);
      known = new Table<>(fields.list());
      table = known;
    }
    return known;
  }

  /** The fields and their index by name. */
  private static final class Table<M, B> {
    final List<Field<M, B, ?>> fields;
    final Map<String, Field<M, B, ?>> byName = new HashMap<>();
    final boolean hasOneofs;

    Table(List<Field<M, B, ?>> fields) {
      this.fields = List.copyOf(fields);
      // JSON names take precedence over the proto names of other fields.
      for (Field<M, B, ?> field : fields) {
        byName.put(field.protoName(), field);
      }
      for (Field<M, B, ?> field : fields) {
        byName.put(field.jsonName(), field);
      }
      hasOneofs = fields.stream().anyMatch(field -> field.oneof() != null);
    }
  }
}
