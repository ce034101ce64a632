package svc.runtime.internal;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The names, numbers and values of an enum. Unknown values survive a round trip: a name, or the
 * digits of a number without a known name.
 *
 * @param <E> the type of the values
 */
public final class EnumTable<E> {
  private final String name;
  private final String first;
  private final Function<String, E> maker;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<Integer, String> names = new LinkedHashMap<>();
  private final Map<String, Integer> ordinals = new HashMap<>();
  private final Map<String, E> values = new HashMap<>();

  private EnumTable(Function<String, E> maker, String name, Entry... entries) {
    this.maker = maker;
    this.name = name;
    for (Entry entry : entries) {
      numbers.put(entry.name(), entry.number());
      names.putIfAbsent(entry.number(), entry.name());
    }
    for (String canonical : names.values()) {
      ordinals.put(canonical, ordinals.size());
      values.put(canonical, maker.apply(canonical));
    }
    String zero = names.get(0);
    first = zero != null || entries.length == 0 ? zero : entries[0].name();
  }

  /**
   * Creates the table of an enum. The first name of a number is canonical.
   *
   * @param maker creates a value from its canonical text
   * @param name its full proto name
   * @param entries its values in declaration order
   * @param <E> the type of the values
   * @return the table
   */
  public static <E> EnumTable<E> of(Function<String, E> maker, String name, Entry... entries) {
    return new EnumTable<>(maker, name, entries);
  }

  /**
   * Creates an entry of a table.
   *
   * @param name its name
   * @param number its number
   * @return the entry
   */
  public static Entry entry(String name, int number) {
    return new Entry(name, number);
  }

  /**
   * Returns a value. A known value is always the same object.
   *
   * @param value a name, or the digits of a number; the empty text is the default value
   * @return the value
   */
  public E get(String value) {
    String text = canonical(value);
    E known = values.get(text);
    return known == null ? maker.apply(text) : known;
  }

  private String canonical(String value) {
    if (Objects.requireNonNull(value, "value").isEmpty()) {
      return first;
    }
    OptionalInt number = number(value);
    return number.isEmpty()
        ? value
        : names.getOrDefault(number.getAsInt(), String.valueOf(number.getAsInt()));
  }

  /**
   * Returns the number of a value.
   *
   * @param value a name, or the digits of a number
   * @return the number, empty if the name is unknown
   */
  public OptionalInt number(String value) {
    Integer known = numbers.get(value);
    if (known != null) {
      return OptionalInt.of(known);
    }
    try {
      char start = value.isEmpty() ? ' ' : value.charAt(0);
      boolean isNumber = start == '-' || start >= '0' && start <= '9';
      return isNumber ? OptionalInt.of(Integer.parseInt(value)) : OptionalInt.empty();
    } catch (NumberFormatException other) {
      return OptionalInt.empty();
    }
  }

  /**
   * Reports whether this release knows a value.
   *
   * @param value a name, or the digits of a number
   * @return whether the value is known
   */
  public boolean isKnown(String value) {
    return numbers.containsKey(canonical(value));
  }

  /**
   * Returns the constant of a value.
   *
   * @param value a canonical text
   * @param constants the constants of canonical values in declaration order, then that of all other
   *     values
   * @param <K> the type of the constants
   * @return the constant
   */
  public <K> K known(String value, K[] constants) {
    return constants[ordinals.getOrDefault(value, constants.length - 1)];
  }

  /**
   * Creates the codec of the enum type.
   *
   * @param text returns the text of a value
   * @return the codec
   */
  public Codec<E> codec(Function<E, String> text) {
    return new Codec<>(
        name,
        in -> get(read(in)),
        (out, value) -> write(out, text.apply(value)),
        value -> text.apply(value).equals(first),
        false);
  }

  private String read(JsonReader in) {
    if (in.peek() == '"') {
      String text = in.readString();
      if (text.isEmpty()) {
        throw new Problem("expected a name or number, got an empty string");
      }
      return text;
    }
    if (!in.isAtNumber()) {
      throw in.expected("a name or number");
    }
    return String.valueOf(Codecs.parseInt32(in.bareNumber()));
  }

  private void write(JsonWriter out, String value) {
    OptionalInt number = number(value);
    if (number.isPresent() && !numbers.containsKey(value)) {
      out.raw(number.getAsInt());
    } else {
      out.string(value);
    }
  }

  /**
   * A value of an enum.
   *
   * @param name its name
   * @param number its number
   */
  public record Entry(String name, int number) {}
}
