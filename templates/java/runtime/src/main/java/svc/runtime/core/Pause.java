package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** A question of a node to a human. The run waits for the decision. */
public final class Pause {
  private final PauseFields fields;
  private final String id;
  private final String executionId;
  private final String status;

  Pause(JsonObject json) {
    fields = new PauseFields(json);
    id = fields.required("pause_id");
    executionId = fields.required("execution_id");
    status = fields.required("status");
  }

  /**
   * Reads a pause as the service sends it, for example for a test.
   *
   * @param json the pause, with at least {@code pause_id}, {@code execution_id} and {@code status}
   * @return the pause
   * @throws InvalidMessageException if the text is not a pause
   */
  public static Pause fromJson(String json) {
    return new Pause(JsonObject.parse(json));
  }

  /**
   * Returns the id of the pause, which a decision names.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns the run.
   *
   * @return its execution id
   */
  public String executionId() {
    return executionId;
  }

  /**
   * Returns the flow of the run.
   *
   * @return its {@code graph_id}
   */
  public Optional<String> graphId() {
    return fields.json().text("graph_id");
  }

  /**
   * Returns the placement in the flow that asks.
   *
   * @return its name
   */
  public Optional<String> nodeName() {
    return fields.json().text("node_name");
  }

  /**
   * Returns the status.
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
   * Returns the question.
   *
   * @return the JSON, empty if the service left it out because the list was large
   */
  public Optional<JsonValue> question() {
    return fields.json().get("interrupt_payload");
  }

  /**
   * Returns the message that the decision must fit.
   *
   * @return its full name, such as {@code acme.v1.Approval}
   */
  public Optional<String> decisionType() {
    return fields.json().text("resume_schema");
  }

  /**
   * Returns the checkpoint at the pause.
   *
   * @return its id
   */
  public Optional<String> checkpointId() {
    return fields.json().text("checkpoint_id");
  }

  /**
   * Returns the time of the question.
   *
   * @return the time
   */
  public Optional<Instant> createdAt() {
    return fields.time("created_at");
  }

  /**
   * Returns the deadline of the decision. The run is cancelled then.
   *
   * @return the time
   */
  public Optional<Instant> expiresAt() {
    return fields.time("expires_at");
  }

  /**
   * Returns a link for the person who decides, who needs no API key. It is a secret.
   *
   * @return the link, empty unless the pause is waiting and the API key may resume it
   */
  public Optional<String> resumeUrl() {
    return fields.json().text("resume_url");
  }

  /**
   * Returns the time of the decision.
   *
   * @return the time, empty until the decision
   */
  public Optional<Instant> resumedAt() {
    return fields.time("resumed_at");
  }

  /**
   * Returns the time of the escalation.
   *
   * @return the time, empty until the escalation
   */
  public Optional<Instant> escalatedAt() {
    return fields.time("escalated_at");
  }

  /**
   * Returns who decided.
   *
   * @return the name, empty if the caller did not say
   */
  public Optional<String> resumedBy() {
    return fields.json().text("resumed_by");
  }

  /**
   * Returns the decision. Values that look like secrets are redacted.
   *
   * @return the JSON, empty if there is none
   */
  public Optional<JsonValue> decision() {
    return fields.given("resume_value");
  }

  /** Shows the id and the status, not the link. */
  @Override
  public String toString() {
    return "pause " + id + " (" + status + ")";
  }
}
