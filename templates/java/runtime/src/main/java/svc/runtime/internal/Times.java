package svc.runtime.internal;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The codecs of timestamps and durations, with nanosecond precision. */
final class Times {
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");
  private static final Pattern DURATION = Pattern.compile("(-?)([0-9]{1,12})(?:\\.([0-9]{1,9}))?s");
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  /** 10,000 years, plus the nanoseconds of the last second. */
  private static final Duration LONGEST = Duration.ofSeconds(315_576_000_000L, 999_999_999);

  private Times() {}

  static Instant readTimestamp(JsonReader in) {
    String text = in.readString();
    if (TIMESTAMP.matcher(text).matches()) {
      try {
        return checked(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException wrong) {
        // There is no such day or hour.
      }
    }
    throw new Problem(
        "expected a timestamp such as 2026-01-31T12:00:00Z, got " + JsonReader.excerpt(text));
  }

  static void write(JsonWriter out, Instant value) {
    out.plain(checked(value).toString());
  }

  private static Instant checked(Instant value) {
    if (value.isBefore(EARLIEST) || value.isAfter(LATEST)) {
      throw new Problem("the timestamp is outside the years 1 to 9999");
    }
    return value;
  }

  static Duration readDuration(JsonReader in) {
    String text = in.readString();
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw new Problem("expected a duration such as 1.5s, got " + JsonReader.excerpt(text));
    }
    String fraction = parts.group(3) == null ? "" : parts.group(3);
    long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
    Duration size = Duration.ofSeconds(Long.parseLong(parts.group(2)), nanos);
    return checked(parts.group(1).isEmpty() ? size : size.negated());
  }

  static void write(JsonWriter out, Duration value) {
    Duration size = checked(value).abs();
    StringBuilder text = new StringBuilder(value.isNegative() ? "-" : "").append(size.getSeconds());
    if (size.getNano() != 0) {
      String digits = String.format(Locale.ROOT, "%09d", size.getNano());
      // Three, six or nine digits: the fewest that represent the nanoseconds.
      text.append('.').append(digits.replaceFirst("(000){1,2}$", ""));
    }
    out.plain(text.append('s').toString());
  }

  private static Duration checked(Duration value) {
    if (value.compareTo(LONGEST) > 0 || value.compareTo(LONGEST.negated()) < 0) {
      throw new Problem("the duration exceeds 10,000 years");
    }
    return value;
  }
}
