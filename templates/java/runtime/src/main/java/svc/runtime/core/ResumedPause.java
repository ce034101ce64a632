package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonBoolean;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** The response to a decision on a pause. */
public final class ResumedPause {
  private final PauseFields fields;
  private final String pauseId;
  private final String status;

  private ResumedPause(PauseFields fields) {
    this.fields = fields;
    pauseId = fields.required("pause_id");
    status = fields.required("status");
  }

  /**
   * Reads a response as the service sends it, for example for a test.
   *
   * @param json the response, with at least {@code pause_id} and {@code status}
   * @return the response
   * @throws InvalidMessageException if the text is not a response to a decision
   */
  public static ResumedPause fromJson(String json) {
    return new ResumedPause(new PauseFields(JsonObject.parse(json)));
  }

  static ResumedPause of(Received response) {
    try {
      return fromJson(response.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(response, wrong.getMessage(), wrong);
    }
  }

  /**
   * Returns the pause.
   *
   * @return its id
   */
  public String pauseId() {
    return pauseId;
  }

  /**
   * Returns the status of the pause, {@code RESUMED}.
   *
   * @return the status, {@code UNRECOGNIZED} for one that this release does not know
   */
  public PauseStatus status() {
    return PauseStatus.of(status);
  }

  /**
   * Returns the status as received.
   *
   * @return the status
   */
  public String statusAsString() {
    return status;
  }

  /**
   * Returns the time of the decision that won.
   *
   * @return the time
   */
  public Optional<Instant> resumedAt() {
    return fields.time("resumed_at");
  }

  /**
   * Returns who made the decision that won.
   *
   * @return the name, empty if the caller did not say
   */
  public Optional<String> resumedBy() {
    return fields.json().text("resumed_by");
  }

  /**
   * Returns the decision that won. Values that look like secrets are redacted.
   *
   * @return the JSON, empty if there is none
   */
  public Optional<JsonValue> decision() {
    return fields.given("resume_value");
  }

  /**
   * Reports whether another decision came first. It is false for a decision that was retried
   * because its first response was lost.
   *
   * @return whether the pause had been resumed before
   */
  public boolean alreadyResumed() {
    return fields.json().get("already_resumed").orElse(null) instanceof JsonBoolean already
        && already.value();
  }

  @Override
  public String toString() {
    return fields.json().toString();
  }
}
