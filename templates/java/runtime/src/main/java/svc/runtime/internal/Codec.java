package svc.runtime.internal;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import svc.runtime.errors.InvalidMessageException;

/**
 * Encodes and decodes one type of value as ProtoJSON.
 *
 * @param <T> the type of the values
 */
public final class Codec<T> {
  final Reader<T> reader;
  final Writer<T> writer;

  /** Reports whether a field without presence omits the value. */
  final Predicate<T> isDefault;

  /** Whether null is a value rather than absence. */
  final boolean readsNull;

  private final String name;

  /** Returns a value that is equal for equal values of the type. */
  private final Function<T, Object> identity;

  private Codec(
      String name,
      Reader<T> reader,
      Writer<T> writer,
      Predicate<T> isDefault,
      boolean readsNull,
      Function<T, Object> identity) {
    this.name = name;
    this.reader = reader;
    this.writer = writer;
    this.isDefault = isDefault;
    this.readsNull = readsNull;
    this.identity = identity;
  }

  Codec(
      String name, Reader<T> reader, Writer<T> writer, Predicate<T> isDefault, boolean readsNull) {
    this(name, reader, writer, isDefault, readsNull, value -> value);
  }

  Codec(String name, Reader<T> reader, Writer<T> writer) {
    this(name, reader, writer, value -> false, false);
  }

  /**
   * Creates the codec of a generated message. Its fields are resolved lazily because messages can
   * be recursive.
   *
   * @param name its full proto name
   * @param builder creates a builder
   * @param build builds the message
   * @param describe adds the fields in declaration order
   * @param <M> the type of the message
   * @param <B> the type of its builder
   * @return the codec
   */
  public static <M, B> Codec<M> message(
      String name,
      Supplier<B> builder,
      Function<B, M> build,
      Consumer<MessageFields<M, B>> describe) {
    MessageCodec<M, B> codec = new MessageCodec<>(builder, build, describe);
    return new Codec<>(name, codec::read, codec::write, value -> false, false, codec::identityOf);
  }

  /**
   * Decodes a value. Unknown fields are ignored.
   *
   * @param json its ProtoJSON
   * @return the value
   * @throws InvalidMessageException if the text is not valid ProtoJSON of the type
   */
  public T fromJson(String json) {
    return read(json, false);
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
    return read(json, true);
  }

  private T read(String json, boolean isStrict) {
    Objects.requireNonNull(json, "json");
    try {
      JsonReader in = new JsonReader(json, isStrict);
      T value = reader.read(in);
      in.end();
      return value;
    } catch (Problem problem) {
      throw problem.of(name);
    }
  }

  /**
   * Decodes a value that may be malformed.
   *
   * @param json its ProtoJSON
   * @return the value, empty if the text is not valid ProtoJSON of the type
   */
  public Optional<T> tryFromJson(String json) {
    try {
      return Optional.of(fromJson(json));
    } catch (InvalidMessageException wrong) {
      return Optional.empty();
    }
  }

  /**
   * Encodes a value.
   *
   * @param value the value
   * @return its ProtoJSON
   * @throws InvalidMessageException if the value is invalid for its type
   */
  public String toJson(T value) {
    Objects.requireNonNull(value, "value");
    try {
      JsonWriter out = new JsonWriter();
      writer.write(out, value);
      return out.toString();
    } catch (Problem problem) {
      throw problem.of(name);
    }
  }

  /**
   * Returns a value as ProtoJSON for display, or the error if it cannot be encoded.
   *
   * @param value the value
   * @return the text
   */
  public String text(T value) {
    try {
      return toJson(value);
    } catch (InvalidMessageException failure) {
      return "<" + failure.getMessage() + ">";
    }
  }

  /**
   * Reports whether two values are equal: for messages, whether their fields are.
   *
   * @param one a value
   * @param other another value
   * @return whether they are equal
   */
  public boolean equal(T one, T other) {
    return one == other || identity.apply(one).equals(identity.apply(other));
  }

  /**
   * Returns a hash code consistent with {@link #equal}.
   *
   * @param value a value
   * @return its hash
   */
  public int hash(T value) {
    return identity.apply(value).hashCode();
  }

  @Override
  public String toString() {
    return "codec of " + name;
  }

  /** Decodes the next value. */
  interface Reader<T> {
    T read(JsonReader in);
  }

  /** Encodes a value. */
  interface Writer<T> {
    void write(JsonWriter out, T value);
  }
}
