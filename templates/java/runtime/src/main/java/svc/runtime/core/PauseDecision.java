package svc.runtime.core;

import java.util.Objects;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.Bytes;
import svc.runtime.json.JsonObject;

/**
 * A decision on a pause, or an input of a fork. It becomes the next input of the node.
 *
 * <pre>{@code
 * execution.resume(pauseId, PauseDecision.ofJson(approval.toJson()).by("ann@example.com"));
 * }</pre>
 */
public final class PauseDecision {
  private static final PauseDecision DEFAULT = new PauseDecision(Form.DEFAULT, null, null);

  private final Form form;

  /** The JSON of the decision, a string for bytes; null for the default of every field. */
  private final String value;

  /** Who decides; null if the caller names no one. */
  private final String resumedBy;

  private PauseDecision(Form form, String value, String resumedBy) {
    this.form = form;
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
   * Decides with a JSON object that has the fields of the message.
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
    return new PauseDecision(Form.OBJECT, json, null);
  }

  /**
   * Decides with a JSON object that has the fields of the message.
   *
   * @param json the object
   * @return the decision
   */
  public static PauseDecision of(JsonObject json) {
    return new PauseDecision(Form.OBJECT, Codecs.STRUCT.toJson(json), null);
  }

  /**
   * Decides with a serialized message.
   *
   * @param message the bytes
   * @return the decision
   */
  public static PauseDecision ofBytes(Bytes message) {
    return new PauseDecision(Form.BYTES, Codecs.BYTES.toJson(message), null);
  }

  /**
   * Names who decides, for the record of the pause and for the node.
   *
   * @param resumedBy the name
   * @return the decision with that name
   */
  public PauseDecision by(String resumedBy) {
    return new PauseDecision(form, value, Objects.requireNonNull(resumedBy, "resumedBy"));
  }

  /** Returns the decision as the input of a fork: a member of its request, or none. */
  Optional<String> inputOfFork() {
    return switch (form) {
      case DEFAULT -> Optional.empty();
      case OBJECT -> Optional.of("\"input\":" + value);
      case BYTES -> Optional.of("\"payload\":" + value);
    };
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

  /** The form of the value that the caller gave. */
  private enum Form {
    DEFAULT,
    OBJECT,
    BYTES
  }
}
