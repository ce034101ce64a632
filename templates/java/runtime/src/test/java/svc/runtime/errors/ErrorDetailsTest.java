package svc.runtime.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Exceptions that programs create. Their details must not be null. */
class ErrorDetailsTest {
  private static final String NO_TEXT = null;
  private static final Throwable NO_CAUSE = null;

  @Test
  void acceptsValuesAndOptionals() {
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
  void namesTheNullDetail() {
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

  @Test
  void surviveTheSerializationOfTheirException() throws IOException, ClassNotFoundException {
    ErrorDetails details =
        ErrorDetails.builder()
            .status(429)
            .code("quota_exceeded")
            .headers(HttpHeaders.of(Map.of("x-request-id", List.of("r1")), (name, value) -> true))
            .body("{}")
            .executionId("e1")
            .retryAfter(Duration.ofSeconds(1))
            .attempts(3)
            .idempotencyKey("own")
            .build();
    SvcException copy = copyOf(new QuotaExceededException("too many", details));
    assertEquals("too many (execution e1)", copy.getMessage());
    assertEquals(429, copy.status().orElseThrow());
    assertEquals("quota_exceeded", copy.code().orElseThrow());
    assertEquals("r1", copy.requestId().orElseThrow());
    assertEquals("{}", copy.body().orElseThrow());
    assertEquals("e1", copy.executionId().orElseThrow());
    assertEquals(Duration.ofSeconds(1), copy.retryAfter().orElseThrow());
    assertEquals(3, copy.attempts());
    assertEquals("own", copy.idempotencyKey().orElseThrow());
    SvcException bare = copyOf(new ConfigurationException("no key"));
    assertEquals(OptionalInt.empty(), bare.status());
    assertEquals(Optional.empty(), bare.executionId());
  }

  private static SvcException copyOf(SvcException failure)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (SvcException) in.readObject();
    }
  }
}
