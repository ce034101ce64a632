package svc.runtime.json;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codec;
import svc.runtime.internal.Codecs;

/**
 * Converts values of a well-known type to and from ProtoJSON, as the methods of messages do.
 *
 * @param <T> the type of the values
 */
public final class ProtoJson<T> {
  /** Values of {@code google.protobuf.BytesValue}. */
  public static final ProtoJson<Bytes> BYTES = new ProtoJson<>(Codecs.BYTES);

  /** Values of {@code google.protobuf.BoolValue}. */
  public static final ProtoJson<Boolean> BOOL = new ProtoJson<>(Codecs.BOOL);

  /** Values of {@code google.protobuf.DoubleValue}. */
  public static final ProtoJson<Double> DOUBLE = new ProtoJson<>(Codecs.DOUBLE);

  /** Values of {@code google.protobuf.FloatValue}. */
  public static final ProtoJson<Float> FLOAT = new ProtoJson<>(Codecs.FLOAT);

  /** Values of {@code google.protobuf.Int32Value}. */
  public static final ProtoJson<Integer> INT32 = new ProtoJson<>(Codecs.INT32);

  /** Values of {@code google.protobuf.Int64Value}. */
  public static final ProtoJson<Long> INT64 = new ProtoJson<>(Codecs.INT64);

  /** Values of {@code google.protobuf.StringValue}. */
  public static final ProtoJson<String> STRING = new ProtoJson<>(Codecs.STRING);

  /** Values of {@code google.protobuf.UInt32Value}. */
  public static final ProtoJson<Long> UINT32 = new ProtoJson<>(Codecs.UINT32);

  /** Values of {@code google.protobuf.UInt64Value}. */
  public static final ProtoJson<BigInteger> UINT64 = new ProtoJson<>(Codecs.UINT64);

  /** Values of {@code google.protobuf.Any}. */
  public static final ProtoJson<JsonObject> ANY = new ProtoJson<>(Codecs.ANY);

  /** Values of {@code google.protobuf.Duration}. */
  public static final ProtoJson<Duration> DURATION = new ProtoJson<>(Codecs.DURATION);

  /** Values of {@code google.protobuf.Empty}. */
  public static final ProtoJson<Empty> EMPTY = new ProtoJson<>(Codecs.EMPTY);

  /** Values of {@code google.protobuf.FieldMask}. */
  public static final ProtoJson<FieldMask> FIELD_MASK = new ProtoJson<>(Codecs.FIELD_MASK);

  /** Values of {@code google.protobuf.ListValue}. */
  public static final ProtoJson<JsonArray> LIST = new ProtoJson<>(Codecs.LIST);

  /** Values of {@code google.protobuf.NullValue}. */
  public static final ProtoJson<JsonNull> NULL = new ProtoJson<>(Codecs.NULL);

  /** Values of {@code google.protobuf.Struct}. */
  public static final ProtoJson<JsonObject> STRUCT = new ProtoJson<>(Codecs.STRUCT);

  /** Values of {@code google.protobuf.Timestamp}. */
  public static final ProtoJson<Instant> TIMESTAMP = new ProtoJson<>(Codecs.TIMESTAMP);

  /** Values of {@code google.protobuf.Value}. */
  public static final ProtoJson<JsonValue> VALUE = new ProtoJson<>(Codecs.VALUE);

  private final Codec<T> codec;

  private ProtoJson(Codec<T> codec) {
    this.codec = codec;
  }

  /**
   * Decodes a value. Unknown fields are ignored.
   *
   * @param json its ProtoJSON
   * @return the value
   * @throws InvalidMessageException if the text is not valid ProtoJSON of the type
   */
  public T fromJson(String json) {
    return codec.fromJson(json);
  }

  /**
   * Decodes a value without unknown fields, such as one that was written by hand.
   *
   * @param json its ProtoJSON
   * @return the value
   * @throws InvalidMessageException if the text is not valid ProtoJSON of the type, or has an
   *     unknown field
   */
  public T fromStrictJson(String json) {
    return codec.fromStrictJson(json);
  }

  /**
   * Encodes a value.
   *
   * @param value the value
   * @return its ProtoJSON
   * @throws InvalidMessageException if the value is invalid for its type
   */
  public String toJson(T value) {
    return codec.toJson(value);
  }

  @Override
  public String toString() {
    return codec.toString();
  }
}
