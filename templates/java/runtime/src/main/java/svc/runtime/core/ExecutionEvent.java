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
   * Returns the event type. {@link Type} lists those that this release knows.
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
   * @return the reason, empty if the event is not a failure
   */
  public Optional<String> errorMessage() {
    return fields.text("error");
  }

  /**
   * Returns the pause that the event concerns.
   *
   * @return its id, empty if it concerns none
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

  /**
   * The types of events. The service may send types that this release does not know, so give each
   * {@code switch} a {@code default}.
   */
  public static final class Type {
    /** A node has started, with its input. */
    public static final String NODE_STARTED = "NODE_STARTED";

    /** A node has returned its output. */
    public static final String NODE_COMPLETED = "NODE_COMPLETED";

    /** A node has failed. */
    public static final String NODE_FAILED = "NODE_FAILED";

    /** A node has logged a line. */
    public static final String NODE_LOG = "NODE_LOG";

    /** A node has reported its progress. */
    public static final String NODE_PROGRESS = "NODE_PROGRESS";

    /** A pipeline node has received a message. */
    public static final String NODE_INPUT_FRAME = "NODE_INPUT_FRAME";

    /** A pipeline node has sent a message. */
    public static final String NODE_FRAME = "NODE_FRAME";

    /** The streams of a pipeline node have ended. */
    public static final String NODE_STREAM_COMPLETE = "NODE_STREAM_COMPLETE";

    /** The condition of an edge was evaluated. */
    public static final String EDGE_EVALUATED = "EDGE_EVALUATED";

    /** A node will be retried. */
    public static final String NODE_RETRY_SCHEDULED = "NODE_RETRY_SCHEDULED";

    /** A node is being retried. */
    public static final String NODE_RETRY_STARTED = "NODE_RETRY_STARTED";

    /** A node failed on its last attempt. */
    public static final String NODE_RETRY_EXHAUSTED = "NODE_RETRY_EXHAUSTED";

    /** Nodes or edges were added to the run. */
    public static final String GRAPH_MUTATED = "GRAPH_MUTATED";

    /** A node asks a human: a decision on {@link #pauseId} is due. */
    public static final String HITL_PAUSED = "HITL_PAUSED";

    /** A human has decided. */
    public static final String HITL_RESUMED = "HITL_RESUMED";

    /** The run could not be continued with a decision. */
    public static final String HITL_RESUME_FAILED = "HITL_RESUME_FAILED";

    /** A pause has expired without a decision. */
    public static final String HITL_TIMEOUT = "HITL_TIMEOUT";

    /** A pause has waited for so long that it was escalated. */
    public static final String ESCALATION_TRIGGERED = "ESCALATION_TRIGGERED";

    /** Another run continues this one. {@link #FLOW_FAILED} follows. */
    public static final String FORKED = "FORKED";

    /** The run has ended with its output. No event follows. */
    public static final String FLOW_COMPLETED = "FLOW_COMPLETED";

    /** The run has failed or was cancelled. No event follows. */
    public static final String FLOW_FAILED = "FLOW_FAILED";

    private Type() {}
  }
}
