package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.internal.Codecs;
import svc.runtime.json.JsonObject;

/** The state of an execution. */
public final class ExecutionRecord {
  private final JsonObject fields;
  private final String id;
  private final String status;

  private ExecutionRecord(JsonObject fields, String id, String status) {
    this.fields = fields;
    this.id = id;
    this.status = status;
  }

  /**
   * Reads a record as the service sends it, for example for a test.
   *
   * @param json the record, with at least {@code execution_id} and {@code status}
   * @return the record
   * @throws InvalidMessageException if the text is not a record
   */
  public static ExecutionRecord fromJson(String json) {
    JsonObject fields = JsonObject.parse(json);
    return new ExecutionRecord(
        fields, required(fields, "execution_id"), required(fields, "status"));
  }

  static ExecutionRecord of(Received response) {
    try {
      return fromJson(response.body());
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidResponse(response, wrong.getMessage(), wrong);
    }
  }

  private static String required(JsonObject fields, String key) {
    return fields.text(key).orElseThrow(() -> new InvalidMessageException(key + " is missing"));
  }

  /**
   * Returns the execution id.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns the status. A paused run is {@code RUNNING}.
   *
   * @return the status, {@code UNRECOGNIZED} for one that this release does not know
   */
  public ExecutionStatus status() {
    return ExecutionStatus.of(status);
  }

  /**
   * Returns the status as received: {@code QUEUED}, {@code RUNNING}, {@code COMPLETED}, {@code
   * FAILED}, {@code CANCELLED}, {@code FORKED}, or one that this release does not know.
   *
   * @return the status
   */
  public String statusAsString() {
    return status;
  }

  /**
   * Reports whether the execution has ended.
   *
   * @return whether it has ended
   */
  public boolean hasEnded() {
    return status().isFinal();
  }

  /**
   * Returns the flow.
   *
   * @return the id of its graph
   */
  public Optional<String> graphId() {
    return fields.text("graph_id");
  }

  /**
   * Returns the creation time.
   *
   * @return the time
   */
  public Optional<Instant> createdAt() {
    return time("created_at");
  }

  /**
   * Returns the time of the last change.
   *
   * @return the time
   */
  public Optional<Instant> updatedAt() {
    return time("updated_at");
  }

  /**
   * Returns the end time.
   *
   * @return the time, empty until the execution ends
   */
  public Optional<Instant> completedAt() {
    return time("completed_at");
  }

  /**
   * Returns the pause that waits for a decision.
   *
   * @return its id, empty if the execution is not paused
   */
  public Optional<String> pauseId() {
    return fields.text("pause_id");
  }

  /**
   * Returns the latest checkpoint.
   *
   * @return its id
   */
  public Optional<String> latestCheckpointId() {
    return fields.text("latest_checkpoint_id");
  }

  /**
   * Returns why the run failed.
   *
   * @return the reason, empty if it did not fail
   */
  public Optional<String> errorMessage() {
    return fields.text("error_message");
  }

  /**
   * Returns the placement in the flow at which the run failed.
   *
   * @return its name, empty if the run did not fail at one
   */
  public Optional<String> failedNodeName() {
    return fields.text("failed_node_name");
  }

  /**
   * Returns the complete record as received.
   *
   * @return all of its fields
   */
  public JsonObject fields() {
    return fields;
  }

  /** Returns a time, empty if it is missing or malformed. */
  private Optional<Instant> time(String key) {
    return fields.get(key).map(Object::toString).flatMap(Codecs.TIMESTAMP::tryFromJson);
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
