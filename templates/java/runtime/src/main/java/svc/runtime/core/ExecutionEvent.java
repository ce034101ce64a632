package svc.runtime.core;

import java.time.Instant;
import java.util.Optional;
import svc.runtime.errors.InvalidMessageException;
import svc.runtime.json.JsonNumber;
import svc.runtime.json.JsonObject;
import svc.runtime.json.JsonValue;

/** An event of an execution. */
public final class ExecutionEvent {
  private final JsonObject fields;

  ExecutionEvent(JsonObject fields) {
    this.fields = fields;
  }

  /**
   * Reads an event as the service sends it, for example for a test.
   *
   * @param json the event
   * @return the event
   * @throws InvalidMessageException if the text is not a JSON object
   */
  public static ExecutionEvent fromJson(String json) {
    return new ExecutionEvent(JsonObject.parse(json));
  }

  /**
   * Returns the event type, of which {@link EventType} has those that this release knows.
   *
   * @return the type
   */
  public String type() {
    return fields.text("type").orElse("");
  }

  /**
   * Returns the unique event id. Ids sort by time.
   *
   * @return the id
   */
  public String ulid() {
    return fields.text("event_ulid").orElse("");
  }

  /**
   * Returns the time of the event, with millisecond precision.
   *
   * @return the time
   */
  public Instant time() {
    return fields.get("timestamp_ms").orElse(null) instanceof JsonNumber milliseconds
        ? Instant.ofEpochMilli(milliseconds.value().longValue())
        : Instant.EPOCH;
  }

  /**
   * Returns the placement in the flow.
   *
   * @return its name, empty for events of the flow
   */
  public Optional<String> nodeName() {
    return fields.text("node_name");
  }

  /**
   * Returns the input message.
   *
   * @return the JSON, empty if the event has none
   */
  public Optional<JsonValue> input() {
    return fields.get("input");
  }

  /**
   * Returns the output message.
   *
   * @return the JSON, empty if the event has none
   */
  public Optional<JsonValue> output() {
    return fields.get("output");
  }

  /**
   * Returns why the node, the flow or the attempt failed.
   *
   * @return the reason, empty if the event is about no failure
   */
  public Optional<String> errorMessage() {
    return fields.text("error");
  }

  /**
   * Returns the pause that the event is about.
   *
   * @return its id, empty if it is about none
   */
  public Optional<String> pauseId() {
    return fields.text("pause_id");
  }

  /**
   * Returns the complete event as received.
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
