package svc.runtime.internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.function.Predicate;

/** The codecs of numbers. */
final class Numbers {
  private static final int LONGEST_NUMBER = 1_000;
  private static final int LONGEST_LONG = 18;
  private static final int LARGEST_EXPONENT = 100;
  private static final double LARGEST_PLAIN = 1e15;

  /** JDKs before 19 print some numbers with redundant digits (JDK-4511638). */
  private static final boolean PRINTS_SHORTEST = Runtime.version().feature() >= 19;

  private Numbers() {}

  /** Returns a JSON number. */
  static BigDecimal decimal(String text) {
    if (text.length() > LONGEST_NUMBER) {
      throw new Problem("the number has more than " + LONGEST_NUMBER + " digits");
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException wrong) {
      throw new Problem("out of range");
    }
  }

  /** Parses an integer in any JSON notation: 10, 1e1, 10.0. */
  static long integer(String text, long least, long most, String kind) {
    if (text.length() <= LONGEST_LONG) {
      try {
        return within(Long.parseLong(text), least, most, kind);
      } catch (NumberFormatException other) {
        // The number has a fraction or an exponent.
      }
    }
    BigInteger value = bigInteger(text, kind);
    if (value.bitLength() > 63) {
      throw outOfRange(kind);
    }
    return within(value.longValue(), least, most, kind);
  }

  static BigInteger unsigned(String text, String kind) {
    return unsigned(bigInteger(text, kind), kind);
  }

  static BigInteger unsigned(BigInteger value, String kind) {
    if (value.signum() < 0 || value.bitLength() > 64) {
      throw outOfRange(kind);
    }
    return value;
  }

  static long within(long value, long least, long most, String kind) {
    if (value < least || value > most) {
      throw outOfRange(kind);
    }
    return value;
  }

  private static BigInteger bigInteger(String text, String kind) {
    BigDecimal value = decimal(text);
    if (value.signum() == 0) {
      return BigInteger.ZERO;
    }
    // Check the size before expanding an exponent, which could take long.
    long digits = (long) value.precision() - value.scale();
    if (digits > LARGEST_EXPONENT) {
      throw outOfRange(kind);
    }
    if (digits <= 0 || value.stripTrailingZeros().scale() > 0) {
      throw new Problem("not an integer");
    }
    return value.toBigInteger();
  }

  static double doubleOf(JsonReader in) {
    String special = special(in);
    if (special != null) {
      return Double.parseDouble(special);
    }
    double value = Double.parseDouble(in.readNumber());
    if (Double.isInfinite(value)) {
      throw outOfRange("double");
    }
    return value;
  }

  static float floatOf(JsonReader in) {
    String special = special(in);
    if (special != null) {
      return Float.parseFloat(special);
    }
    float value = Float.parseFloat(in.readNumber());
    if (Float.isInfinite(value)) {
      throw outOfRange("float");
    }
    return value;
  }

  /** Consumes the next value if it is NaN or an infinity. */
  private static String special(JsonReader in) {
    return in.takeString("NaN", "Infinity", "-Infinity");
  }

  static void write(JsonWriter out, double value) {
    if (isSpecial(value)) {
      out.plain(String.valueOf(value));
    } else if (isPlain(value)) {
      out.raw((long) value);
    } else {
      String text = String.valueOf(value);
      out.raw(text.length() < 18 ? text : shorter(text, x -> x.doubleValue() == value));
    }
  }

  static void write(JsonWriter out, float value) {
    if (isSpecial(value)) {
      out.plain(String.valueOf(value));
    } else if (isPlain(value)) {
      out.raw((long) value);
    } else {
      String text = String.valueOf(value);
      out.raw(text.length() < 10 ? text : shorter(text, x -> x.floatValue() == value));
    }
  }

  /** Drops the last digit if the number is still unique without it. */
  private static String shorter(String text, Predicate<BigDecimal> isSame) {
    if (PRINTS_SHORTEST) {
      return text;
    }
    BigDecimal number = new BigDecimal(text);
    BigDecimal rounded = number.round(new MathContext(number.precision() - 1));
    return isSame.test(rounded) ? rounded.stripTrailingZeros().toString() : text;
  }

  private static boolean isSpecial(double value) {
    return Double.isNaN(value) || Double.isInfinite(value);
  }

  /** Reports whether a number has integer notation. Negative zero has a sign. */
  private static boolean isPlain(double value) {
    return value == Math.rint(value)
        && Math.abs(value) < LARGEST_PLAIN
        && (value != 0 || 1 / value > 0);
  }

  private static Problem outOfRange(String kind) {
    return new Problem("out of range for " + kind);
  }
}
