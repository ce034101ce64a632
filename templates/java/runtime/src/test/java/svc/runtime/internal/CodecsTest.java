package svc.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.Bytes;
import svc.runtime.json.Empty;
import svc.runtime.json.FieldMask;
import svc.runtime.json.JsonNull;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** ProtoJSON round trips of single values. */
class CodecsTest {
  private static <T> void assertBoth(Codec<T> codec, T value, String json) {
    assertEquals(json, codec.toJson(value));
    assertEquals(value, codec.fromJson(json));
  }

  private static void assertRefused(Codec<?> codec, String... texts) {
    for (String text : texts) {
      assertThrows(InvalidMessageException.class, () -> codec.fromJson(text), text);
    }
  }

  @Test
  void integersAreExact() {
    assertBoth(Codecs.INT64, Long.MIN_VALUE, "\"-9223372036854775808\"");
    assertBoth(Codecs.INT32, Integer.MAX_VALUE, "2147483647");
    assertBoth(Codecs.UINT32, 4294967295L, "4294967295");
    assertBoth(Codecs.UINT64, new BigInteger("18446744073709551615"), "\"18446744073709551615\"");
    assertEquals(9007199254740993L, Codecs.INT64.fromJson("9007199254740993"));
    assertEquals(1000, Codecs.INT32.fromJson("1e3"));
    assertEquals(0, Codecs.INT32.fromJson("0e999999999"));
    assertRefused(Codecs.INT32, "2147483648", "0.5", "1e999999999", "1e-999999999", "\"\"", "01");
    assertRefused(Codecs.UINT64, "-1", "18446744073709551616");
    assertThrows(InvalidMessageException.class, () -> Codecs.UINT32.toJson(-1L));
  }

  @Test
  void strictReadersRejectUnknownFields() {
    Codec<Empty> outer =
        Codec.message(
            "Outer",
            Empty::new,
            empty -> empty,
            fields -> {
              fields.optional(
                  "oneThing", "one_thing", Codecs.EMPTY, e -> Optional.empty(), (b, v) -> {});
              fields.map(
                  "byKey", "by_key", MapKey.STRING, Codecs.EMPTY, e -> Map.of(), (b, v) -> {});
              fields.optional("free", "free", Codecs.STRUCT, e -> Optional.empty(), (b, v) -> {});
            });
    outer.fromStrictJson(
        "{\"oneThing\":{},\"by_key\":{\"k\":{}},\"free\":{\"any\":{\"thing\":1}}}");
    outer.fromStrictJson("{\"one_thing\":{}}");
    assertUnknown(outer, "{\"too\":1}", "Outer: too: unknown field");
    assertUnknown(outer, "{\"oneThing\":{\"a\":1}}", "Outer: oneThing.a: unknown field");
    assertUnknown(outer, "{\"byKey\":{\"k\":{\"a\":1}}}", "Outer: byKey.k.a: unknown field");
  }

  private static void assertUnknown(Codec<?> codec, String json, String message) {
    codec.fromJson(json);
    Executable strict = () -> codec.fromStrictJson(json);
    assertEquals(message, assertThrows(InvalidMessageException.class, strict).getMessage());
  }

  @Test
  void numbersKeepTheirValue() {
    assertBoth(Codecs.DOUBLE, 0.1, "0.1");
    assertBoth(Codecs.DOUBLE, -0.0, "-0.0");
    assertBoth(Codecs.DOUBLE, Double.NaN, "\"NaN\"");
    assertBoth(Codecs.FLOAT, Float.NEGATIVE_INFINITY, "\"-Infinity\"");
    assertBoth(Codecs.DOUBLE, 5.0, "5");
    assertBoth(Codecs.FLOAT, 0.1f, "0.1");
    assertEquals(Float.MAX_VALUE, Codecs.FLOAT.fromJson("3.4028235e38"));
    // Numbers have no redundant digits.
    assertEquals(
        new BigDecimal("2e23"), new BigDecimal(Codecs.DOUBLE.toJson(2e23)).stripTrailingZeros());
    assertEquals(
        new BigDecimal("1.1754944e-38"), new BigDecimal(Codecs.FLOAT.toJson(Float.MIN_NORMAL)));
    assertRefused(Codecs.DOUBLE, "1e999", "\"nan\"", "true", "\" 1\"");
  }

  @Test
  void timesAreExact() {
    Instant time = Instant.parse("2026-01-31T09:30:00.000000001Z");
    assertBoth(Codecs.TIMESTAMP, time, "\"2026-01-31T09:30:00.000000001Z\"");
    assertEquals(
        Instant.parse("2026-01-31T08:30:00Z"),
        Codecs.TIMESTAMP.fromJson("\"2026-01-31T09:30:00+01:00\""));
    assertRefused(
        Codecs.TIMESTAMP, "\"2026-02-30T00:00:00Z\"", "\"2026-01-31\"", "\"0000-01-01T00:00:00Z\"");
    assertBoth(Codecs.DURATION, Duration.ofMillis(-1500), "\"-1.500s\"");
    assertBoth(Codecs.DURATION, Duration.ofNanos(1), "\"0.000000001s\"");
    assertBoth(Codecs.DURATION, Duration.ZERO, "\"0s\"");
    assertRefused(Codecs.DURATION, "\"5\"", "\"1.s\"", "\"315576000001s\"");
    Duration longest = Duration.ofSeconds(315_576_000_000L, 999_999_999);
    assertBoth(Codecs.DURATION, longest, "\"315576000000.999999999s\"");
    assertBoth(Codecs.DURATION, longest.negated(), "\"-315576000000.999999999s\"");
    assertRefused(Codecs.TIMESTAMP, "\"2026-01-31t09:30:00Z\"", "\"2026-01-31T09:30:00z\"");
  }

  @Test
  void bytesAndMasksAreStrings() {
    assertBoth(Codecs.BYTES, Bytes.of((byte) 0, (byte) 1, (byte) 255), "\"AAH/\"");
    assertEquals(Bytes.ofBase64("+/+/"), Codecs.BYTES.fromJson("\"-_-_\""));
    assertRefused(Codecs.BYTES, "\"AAAAA\"", "\"a b\"", "7");
    assertBoth(Codecs.FIELD_MASK, FieldMask.of("user_name", "a.b_c"), "\"userName,a.bC\"");
    assertRefused(Codecs.FIELD_MASK, "\"a..b\"", "\"a_b\"");
  }

  @Test
  void arbitraryJsonIsPreserved() {
    String json =
        "{\"a\":[1,1.50,null,true,{\"b\":\"\\\"\\\\\\u0001\"}],\"\":\"\u00e9\ud83d\udea2\"}";
    assertEquals(json, JsonObject.parse(json).toString());
    assertRefused(
        Codecs.VALUE, "", "{} {}", "{\"a\":}", "[1,]", "{\"a\":1,}", "\"\\x\"", "tru", "1.", "-");
    assertRefused(Codecs.STRING, "\"\\ud800\"", "\"\n\"");
    assertRefused(Codecs.STRUCT, "[]", "null");
  }

  @Test
  void jsonNumbersAreEqualByValue() {
    assertEquals(JsonValue.of(1), JsonValue.of(1.0));
    assertEquals(JsonValue.of(1).hashCode(), JsonValue.of(1.0).hashCode());
    assertEquals(JsonValue.parse("{\"a\":[1.50,0e9]}"), JsonValue.parse("{\"a\":[15E-1,0]}"));
    assertNotEquals(JsonValue.parse("0.1"), JsonValue.parse("0.1000000000000000000001"));
    assertEquals(JsonValue.parse("100e2147483647"), JsonValue.parse("100e2147483647"));
    assertEquals(JsonValue.parse("100e2147483647").hashCode(), JsonValue.parse("1e400").hashCode());
    for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(InvalidMessageException.class, () -> JsonValue.of(wrong));
    }
  }

  @Test
  void nullIsRejectedByName() {
    byte[] none = null;
    EnumTable<String> table =
        EnumTable.of(text -> text, "acme.v1.Unit", EnumTable.entry("UNIT_UNSPECIFIED", 0));
    Map<String, Executable> refused =
        Map.of(
            "bytes", () -> Bytes.of(none),
            "text", () -> Bytes.ofUtf8(null),
            "base64", () -> Bytes.ofBase64(null),
            "value", () -> table.get(null));
    refused.forEach(
        (name, wrong) ->
            assertEquals(name, assertThrows(NullPointerException.class, wrong).getMessage()));
  }

  @Test
  void depthIsLimited() {
    int deepest = JsonReader.DEEPEST;
    String fits = "[".repeat(deepest) + "]".repeat(deepest);
    assertEquals(fits, JsonValue.parse(fits).toString());
    String tooDeep = "[" + fits + "]";
    InvalidMessageException failure =
        assertThrows(InvalidMessageException.class, () -> JsonValue.parse(tooDeep));
    assertTrue(failure.getMessage().contains("nested too deeply"), failure.getMessage());
  }

  @Test
  void duplicateFieldsAreRejected() {
    Codec<String[]> codec =
        Codec.message(
            "a.Pair",
            () -> new String[] {""},
            pair -> pair,
            fields ->
                fields.single(
                    "someText",
                    "some_text",
                    Codecs.STRING,
                    pair -> pair[0],
                    (pair, text) -> pair[0] = text));
    assertEquals("b", codec.fromJson("{\"some_text\":\"b\"}")[0]);
    assertTrue(codec.equal(new String[] {"b"}, codec.fromJson("{\"someText\":\"b\"}")));
    assertRefused(
        codec,
        "{\"someText\":\"a\",\"some_text\":\"b\"}",
        "{\"someText\":\"a\",\"someText\":\"a\"}",
        "{\"someText\":null,\"someText\":\"a\"}");
  }

  @Test
  void invalidLiteralsAreRejected() {
    for (String word : List.of("nonsense", "test", "fine")) {
      InvalidMessageException refused =
          assertThrows(InvalidMessageException.class, () -> JsonObject.parse(word));
      assertTrue(refused.getMessage().contains("not JSON: unexpected"), refused::getMessage);
    }
  }

  @Test
  void nullMeansAbsenceOfANullValue() {
    Codec<boolean[]> codec =
        Codec.message(
            "a.Nothing",
            () -> new boolean[1],
            message -> message,
            fields ->
                fields.optional(
                    "nothing",
                    "nothing",
                    Codecs.NULL,
                    message -> Optional.ofNullable(message[0] ? JsonNull.INSTANCE : null),
                    (message, value) -> message[0] = true));
    assertEquals("{}", codec.toJson(codec.fromJson("{\"nothing\":null}")));
  }

  @Test
  void enumAliasesAreOneValue() {
    EnumTable<String> table =
        EnumTable.of(
            text -> text,
            "a.Level",
            EnumTable.entry("DEBUG", 0),
            EnumTable.entry("INFO", 1),
            EnumTable.entry("INFORMATION", 1),
            EnumTable.entry("WARN", 2));
    String[] constants = {"debug", "info", "warn", "unrecognized"};
    assertEquals("INFO", table.get("INFORMATION"));
    assertEquals("info", table.known(table.get("INFORMATION"), constants));
    assertEquals("warn", table.known(table.get("2"), constants));
    assertEquals("unrecognized", table.known(table.get("77"), constants));
    assertEquals("unrecognized", table.known(table.get("LOUD"), constants));
  }

  @Test
  void enumsAreOpen() {
    EnumTable<String> table =
        EnumTable.of(
            text -> text, "a.Color", EnumTable.entry("NONE", 0), EnumTable.entry("RED", 1));
    Codec<String> codec = table.codec(text -> text);
    assertBoth(codec, "RED", "\"RED\"");
    assertBoth(codec, "77", "77");
    assertBoth(codec, "PINK", "\"PINK\"");
    assertEquals("RED", codec.fromJson("1"));
    assertEquals("NONE", table.get(""));
    assertEquals(-5, table.number("-5").orElseThrow());
    assertTrue(table.number("PINK").isEmpty());
    assertRefused(codec, "\"\"", "0.5", "true");
  }
}
