package svc.runtime.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Exceptions as programs create them, which take no null. */
class ErrorDetailsTest {
  private static final String NO_TEXT = null;
  private static final Throwable NO_CAUSE = null;

  @Test
  void takesValuesAndWhatADetailReturns() {
    ErrorDetails details =
        ErrorDetails.builder()
            .code("quota_exceeded")
            .body("{}")
            .executionId("e1")
            .retryAfter(Duration.ofSeconds(1))
            .idempotencyKey("own")
            .build();
    ErrorDetails copy =
        ErrorDetails.builder()
            .code(details.code())
            .body(details.body())
            .executionId(details.executionId())
            .retryAfter(details.retryAfter())
            .idempotencyKey(details.idempotencyKey())
            .build();
    assertEquals("quota_exceeded", copy.code().orElseThrow());
    assertEquals("{}", copy.body().orElseThrow());
    assertEquals("e1", copy.executionId().orElseThrow());
    assertEquals(Duration.ofSeconds(1), copy.retryAfter().orElseThrow());
    assertEquals("own", copy.idempotencyKey().orElseThrow());
    assertEquals(
        Optional.empty(), ErrorDetails.builder().code("x").code(Optional.empty()).build().code());
  }

  @Test
  void namesTheDetailThatIsNull() {
    NullPointerException failure =
        assertThrows(NullPointerException.class, () -> ErrorDetails.builder().code(NO_TEXT));
    assertEquals("code", failure.getMessage());
  }

  @Test
  void hasACauseOrNone() {
    IOException cause = new IOException("lost");
    ErrorDetails details = ErrorDetails.NONE;
    assertSame(cause, new ConnectionException("no answer", details, cause).getCause());
    assertNull(new ConnectionException("no answer", details).getCause());
    assertNull(new ConfigurationException("no key").getCause());
    assertThrows(
        NullPointerException.class, () -> new ConnectionException("no answer", details, NO_CAUSE));
    assertThrows(
        NullPointerException.class, () -> new FlowPausedException("paused", details, NO_TEXT));
    assertEquals(Optional.empty(), new FlowPausedException("paused", details).pauseId());
  }
}
