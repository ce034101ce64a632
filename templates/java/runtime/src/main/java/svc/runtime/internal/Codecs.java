package svc.runtime.internal;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import svc.runtime.json.Bytes;
import svc.runtime.json.Empty;
import svc.runtime.json.FieldMask;
import svc.runtime.json.JsonArray;
import svc.runtime.json.JsonBoolean;
import svc.runtime.json.JsonNull;
import svc.runtime.json.JsonNumber;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonString;
import svc.runtime.json.JsonValue;

/** Codecs of all types except generated ones. */
public final class Codecs {
  private static final long MAX_UINT32 = 0xffff_ffffL;

  /** Booleans. */
  public static final Codec<Boolean> BOOL =
      new Codec<>(
          "bool",
          JsonReader::readBoolean,
          (out, value) -> out.raw(value.toString()),
          value -> !value,
          false);

  /** Strings. */
  public static final Codec<String> STRING =
      new Codec<>("string", JsonReader::readString, JsonWriter::string, String::isEmpty, false);

  /** Bytes, as base64. */
  public static final Codec<Bytes> BYTES =
      new Codec<>(
          "bytes",
          Codecs::readBytes,
          (out, value) -> out.plain(value.toBase64()),
          value -> value.size() == 0,
          false);

  /** Signed 32-bit integers. */
  public static final Codec<Integer> INT32 =
      new Codec<>(
          "int32",
          in -> parseInt32(in.readNumber()),
          (out, value) -> out.raw(value),
          value -> value == 0,
          false);

  /** Signed 64-bit integers, encoded as strings. */
  public static final Codec<Long> INT64 =
      new Codec<>(
          "int64",
          in -> parseInt64(in.readNumber()),
          (out, value) -> out.plain(value.toString()),
          value -> value == 0,
          false);

  /** Unsigned 32-bit integers. */
  public static final Codec<Long> UINT32 =
      new Codec<>(
          "uint32",
          in -> parseUint32(in.readNumber()),
          (out, value) -> out.raw(Numbers.within(value, 0, MAX_UINT32, "uint32")),
          value -> value == 0,
          false);

  /** Unsigned 64-bit integers, encoded as strings. */
  public static final Codec<BigInteger> UINT64 =
      new Codec<>(
          "uint64",
          in -> parseUint64(in.readNumber()),
          (out, value) -> out.plain(Numbers.unsigned(value, "uint64").toString()),
          value -> value.signum() == 0,
          false);

  /** 64-bit floats. Negative zero is not the default value. */
  public static final Codec<Double> DOUBLE =
      new Codec<>("double", Numbers::doubleOf, Numbers::write, value -> value.equals(0.0), false);

  /** 32-bit floats. Negative zero is not the default value. */
  public static final Codec<Float> FLOAT =
      new Codec<>("float", Numbers::floatOf, Numbers::write, value -> value.equals(0.0f), false);

  /** {@code google.protobuf.Timestamp}: RFC 3339, years 1 to 9999. */
  public static final Codec<Instant> TIMESTAMP =
      new Codec<>("google.protobuf.Timestamp", Times::readTimestamp, Times::write);

  /** {@code google.protobuf.Duration}: seconds with the suffix s. */
  public static final Codec<Duration> DURATION =
      new Codec<>("google.protobuf.Duration", Times::readDuration, Times::write);

  /** {@code google.protobuf.FieldMask}. */
  public static final Codec<FieldMask> FIELD_MASK =
      new Codec<>("google.protobuf.FieldMask", FieldMasks::read, FieldMasks::write);

  /** {@code google.protobuf.Empty}. */
  public static final Codec<Empty> EMPTY =
      Codec.message("google.protobuf.Empty", Empty::new, empty -> empty, fields -> {});

  /** {@code google.protobuf.Value}: any JSON value. */
  public static final Codec<JsonValue> VALUE =
      new Codec<>("google.protobuf.Value", Codecs::readValue, Codecs::write, value -> false, true);

  /** {@code google.protobuf.Struct}. */
  public static final Codec<JsonObject> STRUCT =
      new Codec<>("google.protobuf.Struct", Codecs::readObject, Codecs::write);

  /** {@code google.protobuf.Any}: a message of any type, with its type URL in {@code @type}. */
  public static final Codec<JsonObject> ANY =
      new Codec<>("google.protobuf.Any", Codecs::readObject, Codecs::write);

  /** {@code google.protobuf.ListValue}. */
  public static final Codec<JsonArray> LIST =
      new Codec<>("google.protobuf.ListValue", Codecs::readArray, Codecs::write);

  /** {@code google.protobuf.NullValue}. */
  public static final Codec<JsonNull> NULL =
      new Codec<>(
          "google.protobuf.NullValue", Codecs::readNull, Codecs::write, value -> true, true);

  private Codecs() {}

  static int parseInt32(String text) {
    return (int) Numbers.integer(text, Integer.MIN_VALUE, Integer.MAX_VALUE, "int32");
  }

  static long parseInt64(String text) {
    return Numbers.integer(text, Long.MIN_VALUE, Long.MAX_VALUE, "int64");
  }

  static long parseUint32(String text) {
    return Numbers.integer(text, 0, MAX_UINT32, "uint32");
  }

  static BigInteger parseUint64(String text) {
    return Numbers.unsigned(text, "uint64");
  }

  private static Bytes readBytes(JsonReader in) {
    try {
      return Bytes.ofBase64(in.readString());
    } catch (IllegalArgumentException wrong) {
      throw new Problem("invalid base64");
    }
  }

  private static JsonValue readValue(JsonReader in) {
    switch (in.peek()) {
      case '{':
        return readObject(in);
      case '[':
        return readArray(in);
      case '"':
        return new JsonString(in.readString());
      case 't':
      case 'f':
        return new JsonBoolean(in.readBoolean());
      case 'n':
        in.takeNull();
        return JsonNull.INSTANCE;
      default:
        return new JsonNumber(Numbers.decimal(in.bareNumber()));
    }
  }

  private static JsonObject readObject(JsonReader in) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    in.beginObject();
    for (String key = in.nextKey(true); key != null; key = in.nextKey(false)) {
      try {
        if (members.put(key, readValue(in)) != null) {
          throw new Problem("the key is given twice");
        }
      } catch (Problem problem) {
        throw problem.beneath(key);
      }
    }
    return new JsonObject(members);
  }

  private static JsonArray readArray(JsonReader in) {
    List<JsonValue> items = new ArrayList<>();
    in.beginList();
    for (boolean isFirst = true; in.hasNextItem(isFirst); isFirst = false) {
      try {
        items.add(readValue(in));
      } catch (Problem problem) {
        throw problem.beneath(items.size());
      }
    }
    return new JsonArray(items);
  }

  private static JsonNull readNull(JsonReader in) {
    if (!in.takeNull() && in.takeString("NULL_VALUE") == null) {
      if (!in.isAtNumber()) {
        throw in.expected("null");
      }
      if (parseInt32(in.bareNumber()) != 0) {
        throw new Problem("expected null, got a number");
      }
    }
    return JsonNull.INSTANCE;
  }

  private static void write(JsonWriter out, JsonValue value) {
    if (value instanceof JsonObject object) {
      out.begin('{');
      String separator = "";
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        out.raw(separator);
        out.string(member.getKey());
        out.raw(':');
        write(out, member.getValue());
        separator = ",";
      }
      out.end('}');
    } else if (value instanceof JsonArray array) {
      out.begin('[');
      String separator = "";
      for (JsonValue item : array.items()) {
        out.raw(separator);
        write(out, item);
        separator = ",";
      }
      out.end(']');
    } else if (value instanceof JsonString text) {
      out.string(text.value());
    } else {
      out.raw(value.toString());
    }
  }
}
