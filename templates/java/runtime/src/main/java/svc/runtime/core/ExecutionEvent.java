package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.json.JsonNumber;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** Something that happened in an execution. New types come without notice. */
public final class ExecutionEvent {
  private final JsonObject fields;

  ExecutionEvent(JsonObject fields) {
    this.fields = fields;
  }

  /**
   * Gives what happened: {@code NODE_STARTED}, {@code NODE_COMPLETED}, {@code FLOW_COMPLETED} ...
   *
   * @return the type
   */
  public String type() {
    return fields.text("type").orElse("");
  }

  /**
   * Gives the id, which is unique, and in the order of time.
   *
   * @return the id
   */
  public String ulid() {
    return fields.text("event_ulid").orElse("");
  }

  /**
   * Gives when it happened, to the millisecond.
   *
   * @return the time
   */
  public Instant time() {
    return fields.get("timestamp_ms").orElse(null) instanceof JsonNumber milliseconds
        ? Instant.ofEpochMilli(milliseconds.value().longValue())
        : Instant.EPOCH;
  }

  /**
   * Gives the placement in the flow that the event is of.
   *
   * @return its name, empty for an event of the whole flow
   */
  public Optional<String> nodeName() {
    return fields.text("node_name");
  }

  /**
   * Gives the message that went in.
   *
   * @return its JSON, empty when the event carries none
   */
  public Optional<JsonValue> input() {
    return fields.get("input");
  }

  /**
   * Gives the message that came out.
   *
   * @return its JSON, empty when the event carries none
   */
  public Optional<JsonValue> output() {
    return fields.get("output");
  }

  /**
   * Gives the event as it came.
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
