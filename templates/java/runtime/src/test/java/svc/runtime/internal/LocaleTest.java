package svc.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Values in a locale with its own digits. No other test runs at the same time, because the locale
 * is global.
 */
@Isolated
class LocaleTest {
  @Test
  void durationsHaveAsciiDigitsInEveryLocale() {
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertEquals("\"1.500s\"", Codecs.DURATION.toJson(Duration.ofMillis(1500)));
      assertEquals(Duration.ofMillis(1500), Codecs.DURATION.fromJson("\"1.500s\""));
    } finally {
      Locale.setDefault(usual);
    }
  }
}
