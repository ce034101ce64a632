package svc.runtime.core;

import java.util.Objects;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.Bytes;
import svc.runtime.json.Codecs;
import svc.runtime.json.JsonObject;

/**
 * A decision on a pause, or an input of a fork. It becomes the next input of the node.
 *
 * <pre>{@code
 * execution.resume(pauseId, PauseDecision.ofJson(approval.toJson()).by("ann@example.com"));
 * }</pre>
 */
public final class PauseDecision {
  private static final PauseDecision DEFAULT = new PauseDecision(null, null);

  /** JSON; null for the default of every field. */
  private final String value;

  /** Null if the caller names no one. */
  private final String resumedBy;

  private PauseDecision(String value, String resumedBy) {
    this.value = value;
    this.resumedBy = resumedBy;
  }

  /**
   * Decides with the default of every field.
   *
   * @return the decision
   */
  public static PauseDecision ofDefault() {
    return DEFAULT;
  }

  /**
   * Decides with a JSON object, which has the fields of the message.
   *
   * @param json the text, such as the {@code toJson()} of a message
   * @return the decision
   * @throws InvalidMessageException if the text is not a JSON object
   */
  public static PauseDecision ofJson(String json) {
    try {
      JsonObject.parse(json);
    } catch (InvalidMessageException wrong) {
      throw new InvalidMessageException(
          "the decision or input must be a JSON object: " + wrong.getMessage());
    }
    return new PauseDecision(json, null);
  }

  /**
   * Decides with a JSON object, which has the fields of the message.
   *
   * @param json the object
   * @return the decision
   */
  public static PauseDecision of(JsonObject json) {
    return new PauseDecision(Codecs.STRUCT.toJson(json), null);
  }

  /**
   * Decides with a serialized message.
   *
   * @param message the bytes
   * @return the decision
   */
  public static PauseDecision ofBytes(Bytes message) {
    return new PauseDecision(Codecs.BYTES.toJson(message), null);
  }

  /**
   * Says who decides, for the record of the pause and for the node.
   *
   * @param resumedBy the name
   * @return another decision
   */
  public PauseDecision by(String resumedBy) {
    return new PauseDecision(value, Objects.requireNonNull(resumedBy, "resumedBy"));
  }

  /** Returns the JSON of the decision, a string for bytes; empty for the default of every field. */
  Optional<String> value() {
    return Optional.ofNullable(value);
  }

  /** Returns the body of the request. */
  String body(String pauseId) {
    if (pauseId.isEmpty()) {
      throw new InvalidMessageException("the id of the pause is empty");
    }
    StringBuilder body = new StringBuilder("{\"pause_id\":");
    body.append(Codecs.STRING.toJson(pauseId));
    if (value != null) {
      body.append(",\"value\":").append(value);
    }
    if (resumedBy != null) {
      body.append(",\"resumed_by\":").append(Codecs.STRING.toJson(resumedBy));
    }
    return body.append('}').toString();
  }
}
