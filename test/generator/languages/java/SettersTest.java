package setters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import svc.acme.enums.Level;
import svc.acme.presence.Item;
import svc.acme.presence.Maps;
import svc.acme.presence.Oneofs;
import svc.acme.presence.OneofsOnly;
import svc.acme.presence.OneofsPayment;
import svc.acme.presence.Optionals;
import svc.acme.presence.Unit;
import svc.acme.well_known.KnownKnown;
import svc.acme.well_known.json.JsonNull;
import svc.acme.well_known.json.JsonValue;

/** Setters of messages, as programs call them. */
class SettersTest {
  private static final String NO_TEXT = null;
  private static final Item NO_ITEM = null;
  private static final Unit NO_UNIT = null;
  private static final Optional<String> NO_OPTIONAL = null;

  private static void assertNames(String field, Executable setter) {
    assertEquals(field, assertThrows(NullPointerException.class, setter).getMessage());
  }

  @Test
  void refuseNullAndNameTheField() {
    assertNames("text", () -> Optionals.builder().text(NO_TEXT));
    assertNames("text", () -> Optionals.builder().text(NO_OPTIONAL));
    assertNames("plain", () -> Optionals.builder().plain(null));
    assertNames("item", () -> Optionals.builder().item(NO_ITEM));
    assertNames("unit", () -> Optionals.builder().unit(NO_UNIT));
    assertNames("byString", () -> Maps.builder().byString(null));
    assertNames(
        "timestamps[1]", () -> KnownKnown.builder().timestamps(Arrays.asList(Instant.EPOCH, null)));
    assertNames("byString[a]", () -> Maps.builder().byString(Collections.singletonMap("a", null)));
    assertNames("timestamps", () -> KnownKnown.builder().timestamps(null));
    assertNames("card", () -> Oneofs.builder().card(null));
    assertNames("note", () -> Oneofs.builder().note(null));
  }

  @Test
  void copyListsAndMaps() {
    List<Instant> times = new ArrayList<>(List.of(Instant.EPOCH));
    KnownKnown.Builder builder = KnownKnown.builder().timestamps(times);
    times.clear();
    assertEquals(List.of(Instant.EPOCH), builder.build().timestamps());
  }

  @Test
  void keepTheCaseOfAOneofThatNullWouldReplace() {
    Oneofs.Builder builder = Oneofs.builder().voucherCents(5);
    assertNames("card", () -> builder.card(null));
    assertEquals(Optional.of(5L), builder.build().voucherCents());
  }

  @Test
  void takeAOneofAsAWhole() {
    List<Oneofs> all =
        List.of(
            Oneofs.builder().card("a").build(),
            Oneofs.builder().voucherCents(0).build(),
            Oneofs.builder().goods(Item.builder().name("b").build()).build(),
            Oneofs.builder().unit(Unit.PIECE).build(),
            Oneofs.builder().token(svc.acme.presence.json.Bytes.ofUtf8("c")).build(),
            Oneofs.builder().later(Instant.EPOCH).build(),
            Oneofs.builder().build());
    for (Oneofs from : all) {
      for (Oneofs to : all) {
        assertEquals(from, to.toBuilder().payment(from.payment()).build());
      }
      assertEquals("{}", from.toBuilder().payment(Optional.empty()).build().toJson());
    }
    Oneofs both =
        Oneofs.builder()
            .only(new OneofsOnly.Yes(true))
            .payment(new OneofsPayment.VoucherCents(5))
            .payment(new OneofsPayment.Card("a"))
            .build();
    assertEquals(Oneofs.builder().card("a").yes(true).build(), both);
  }

  @Test
  void refuseNullAsAOneof() {
    OneofsPayment noPayment = null;
    Optional<OneofsPayment> noOptional = null;
    Oneofs.Builder builder = Oneofs.builder().voucherCents(5);
    assertNames("payment", () -> builder.payment(noPayment));
    assertNames("payment", () -> builder.payment(noOptional));
    assertNames("card", () -> builder.payment(new OneofsPayment.Card(null)));
    assertNames("card", () -> builder.payment(Optional.of(new OneofsPayment.Card(null))));
    assertEquals(Optional.of(5L), builder.build().voucherCents());
  }

  @Test
  void takeWhatAGetterReturns() {
    Optionals full =
        Optionals.builder()
            .text("a")
            .count(1)
            .flag(true)
            .data(svc.acme.presence.json.Bytes.ofUtf8("b"))
            .unit(Unit.PIECE)
            .item(Item.builder().name("c").build())
            .ratio(0.5)
            .build();
    Optionals copy =
        Optionals.builder()
            .text(full.text())
            .count(full.count())
            .flag(full.flag())
            .data(full.data())
            .unit(full.unit())
            .item(full.item())
            .ratio(full.ratio())
            .build();
    assertEquals(full, copy);
    assertEquals(
        "{}",
        full.toBuilder()
            .text(Optional.empty())
            .count(Optional.empty())
            .flag(Optional.empty())
            .data(Optional.empty())
            .unit(Optional.empty())
            .item(Optional.empty())
            .ratio(Optional.empty())
            .build()
            .toJson());
  }

  @Test
  void keepKnownEnumValuesIdentical() {
    Optionals built = Optionals.builder().unit(Unit.of("UNIT_PIECE")).build();
    Optionals decoded = Optionals.fromJson("{\"unit\": 1}");
    for (Optionals each : List.of(built, built.toBuilder().build(), decoded)) {
      assertSame(Unit.PIECE, each.unit().orElseThrow());
    }
    assertSame(Unit.UNSPECIFIED, Unit.of(""));
    assertSame(Level.INFO, Level.INFORMATION);
    assertSame(Level.INFO, Level.of("INFORMATION"));
    assertEquals(Unit.of("UNIT_LITER"), Unit.of("UNIT_LITER"));
    assertEquals("{\"unit\":7}", Optionals.fromJson("{\"unit\": 7}").toJson());
  }

  @Test
  void takeWhatAGetterOfAWellKnownTypeReturns() {
    KnownKnown full =
        KnownKnown.builder()
            .value(JsonValue.of("a"))
            .boolValue(true)
            .int64Value(1)
            .uint64Value(BigInteger.TEN)
            .stringValue("b")
            .timestamp(Instant.EPOCH)
            .timestamps(List.of(Instant.EPOCH))
            .counts(Map.of("c", 1L))
            .none(JsonNull.INSTANCE)
            .build();
    KnownKnown copy =
        KnownKnown.builder()
            .value(full.value())
            .boolValue(full.boolValue())
            .int64Value(full.int64Value())
            .uint64Value(full.uint64Value())
            .stringValue(full.stringValue())
            .timestamp(full.timestamp())
            .timestamps(full.timestamps())
            .counts(full.counts())
            .none(JsonNull.INSTANCE)
            .build();
    assertEquals(full, copy);
  }
}
