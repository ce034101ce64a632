package svc.runtime.core;

import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
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

  static ExecutionRecord of(RawAnswer answer) {
    try {
      JsonObject fields = JsonObject.parse(answer.body());
      String id = required(fields, "execution_id", answer);
      return new ExecutionRecord(fields, id, required(fields, "status", answer));
    } catch (InvalidMessageException wrong) {
      throw Failures.invalidAnswer(answer, wrong.getMessage(), wrong);
    }
  }

  private static String required(JsonObject fields, String key, RawAnswer answer) {
    return fields
        .text(key)
        .orElseThrow(() -> Failures.invalidAnswer(answer, key + " is missing", null));
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
   * Returns the status: {@code QUEUED}, {@code RUNNING}, {@code COMPLETED}, {@code FAILED}, {@code
   * CANCELLED} or {@code FORKED}. A paused run is {@code RUNNING}.
   *
   * @return the status
   */
  public String status() {
    return status;
  }

  /**
   * Reports whether the execution has ended.
   *
   * @return whether it has ended
   */
  public boolean hasEnded() {
    return switch (status) {
      case "COMPLETED", "FAILED", "CANCELLED", "FORKED" -> true;
      default -> false;
    };
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
   * Returns the creation time in ISO 8601.
   *
   * @return the time
   */
  public Optional<String> createdAt() {
    return fields.text("created_at");
  }

  /**
   * Returns the time of the last change in ISO 8601.
   *
   * @return the time
   */
  public Optional<String> updatedAt() {
    return fields.text("updated_at");
  }

  /**
   * Returns the end time in ISO 8601.
   *
   * @return the time, empty until the execution ends
   */
  public Optional<String> completedAt() {
    return fields.text("completed_at");
  }

  /**
   * Returns the complete record as received.
   *
   * @return all of its fields
   */
  public JsonObject fields() {
    return fields;
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
