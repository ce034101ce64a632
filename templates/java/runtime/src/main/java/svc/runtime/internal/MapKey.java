package svc.runtime.internal;

import java.math.BigInteger;
import java.util.function.Function;

/**
 * Reads and writes the keys of a map, which are strings in JSON.
 *
 * @param <K> the type of the keys
 */
public final class MapKey<K> {
  /** Booleans. */
  public static final MapKey<Boolean> BOOL = new MapKey<>(MapKey::parseBoolean);

  /** Strings. */
  public static final MapKey<String> STRING = new MapKey<>(Function.identity());

  /** Signed 32-bit integers. */
  public static final MapKey<Integer> INT32 =
      new MapKey<>(text -> Codecs.parseInt32(checked(text)));

  /** Signed 64-bit integers. */
  public static final MapKey<Long> INT64 = new MapKey<>(text -> Codecs.parseInt64(checked(text)));

  /** Unsigned 32-bit integers. */
  public static final MapKey<Long> UINT32 = new MapKey<>(text -> Codecs.parseUint32(checked(text)));

  /** Unsigned 64-bit integers. */
  public static final MapKey<BigInteger> UINT64 =
      new MapKey<>(text -> Codecs.parseUint64(checked(text)));

  private final Function<String, K> parser;

  private MapKey(Function<String, K> parser) {
    this.parser = parser;
  }

  K parse(String text) {
    return parser.apply(text);
  }

  private static boolean parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new Problem("expected true or false as key, got " + JsonReader.excerpt(text));
    };
  }

  private static String checked(String text) {
    if (!JsonReader.isNumber(text)) {
      throw new Problem("expected a number as key, got " + JsonReader.excerpt(text));
    }
    return text;
  }
}
