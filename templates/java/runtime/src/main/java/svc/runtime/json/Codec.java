package svc.runtime.json;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import svc.runtime.errors.InvalidMessageException;

/**
 * Reads one kind of value from ProtoJSON and writes it.
 *
 * @param <T> the type of the values
 */
public final class Codec<T> {
  final Reader<T> reader;
  final Writer<T> writer;

  /** Tells the value that a field without presence leaves out. */
  final Predicate<T> isDefault;

  /** Marks the kinds that take null for a value instead of absence. */
  final boolean readsNull;

  private final String name;

  Codec(
      String name, Reader<T> reader, Writer<T> writer, Predicate<T> isDefault, boolean readsNull) {
    this.name = name;
    this.reader = reader;
    this.writer = writer;
    this.isDefault = isDefault;
    this.readsNull = readsNull;
  }

  Codec(String name, Reader<T> reader, Writer<T> writer) {
    this(name, reader, writer, value -> false, false);
  }

  /**
   * Describes a generated message. Its fields are asked for when they are needed, since messages
   * may hold each other.
   *
   * @param name its full proto name
   * @param builder makes a builder
   * @param build makes a message of a builder
   * @param describe names the fields, in the order of the proto
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
    return new Codec<>(name, codec::read, codec::write);
  }

  /**
   * Reads a value. Fields that are not declared are ignored.
   *
   * @param json its ProtoJSON
   * @return the value
   * @throws InvalidMessageException when the text is not ProtoJSON of such a value
   */
  public T fromJson(String json) {
    Objects.requireNonNull(json, "json");
    try {
      JsonReader in = new JsonReader(json);
      T value = reader.read(in);
      in.end();
      return value;
    } catch (Problem problem) {
      throw problem.of(name);
    }
  }

  /**
   * Writes a value.
   *
   * @param value the value
   * @return its ProtoJSON
   * @throws InvalidMessageException when the value does not fit its type
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
   * Gives a value as ProtoJSON for people: what cannot be written is told.
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
   * Tells whether two values have the same ProtoJSON, for messages that are no records.
   *
   * @param one a value
   * @param other another value
   * @return whether they do
   */
  public boolean equal(T one, T other) {
    return one == other || text(one).equals(text(other));
  }

  /**
   * Gives a hash that goes with {@link #equal}.
   *
   * @param value a value
   * @return its hash
   */
  public int hash(T value) {
    return text(value).hashCode();
  }

  @Override
  public String toString() {
    return "codec of " + name;
  }

  /** Reads the next value. */
  interface Reader<T> {
    T read(JsonReader in);
  }

  /** Writes a value. */
  interface Writer<T> {
    void write(JsonWriter out, T value);
  }
}
