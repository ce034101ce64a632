import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from "./codec/json.ts";
import { ConfigurationError } from "./errors.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { CallOptions } from "./options.ts";
import type { RawResponse } from "./response.ts";
import {
  exactObjectOf,
  nextCursorOf,
  numberOf,
  objectOf,
  textOf,
} from "./response-object.ts";

/**
 * Type of an event. `HITL_PAUSED` means that the run waits for a decision. Newer
 * services may send other types.
 */
export type EventType =
  | "NODE_STARTED"
  | "NODE_COMPLETED"
  | "NODE_FAILED"
  | "NODE_LOG"
  | "NODE_PROGRESS"
  | "NODE_INPUT_FRAME"
  | "NODE_FRAME"
  | "NODE_STREAM_COMPLETE"
  | "EDGE_EVALUATED"
  | "NODE_RETRY_SCHEDULED"
  | "NODE_RETRY_STARTED"
  | "NODE_RETRY_EXHAUSTED"
  | "GRAPH_MUTATED"
  | "HITL_PAUSED"
  | "HITL_RESUMED"
  | "HITL_RESUME_FAILED"
  | "HITL_TIMEOUT"
  | "ESCALATION_TRIGGERED"
  | "FORKED"
  | "FLOW_COMPLETED"
  | "FLOW_FAILED"
  | (string & {});

/** An event of an execution. */
export interface ExecutionEvent {
  readonly type: EventType;
  /** Unique event id. Ids sort by time. */
  readonly ulid: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly timestampMs: number;
  /** Placement in the flow, for events of a node. */
  readonly nodeName: string | undefined;
  /** Messages as JSON, if the event has them. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  /** Why a node or the run failed. */
  readonly errorMessage: string | undefined;
  /** Id of the pause, for events of a decision. */
  readonly pauseId: string | undefined;
  /** The complete event as received. */
  readonly fields: JsonObject;
}

/** Options for reading events. */
export interface EventOptions extends CallOptions {
  /** Event types to include; all types by default. */
  types?: readonly EventType[] | undefined;
  /** Placement in the flow to include events of; all by default. */
  nodeName?: string | undefined;
  /** Events per request, at most 1,000; 100 by default. */
  pageSize?: number | undefined;
}

/** A page of events. */
export interface EventPage {
  readonly events: readonly ExecutionEvent[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
  readonly response: RawResponse;
  /** Output of the event at an index, with large integers as `bigint`. */
  readonly exactOutput: (index: number) => unknown;
}

/** Returns the query string for a page. */
export function eventQuery(
  { types = [], nodeName, pageSize = 100 }: EventOptions,
  cursor: string | undefined,
): string {
  if (!Array.isArray(types))
    throw new ConfigurationError("types must be a list");
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 1_000)
    throw new ConfigurationError("pageSize must be between 1 and 1000");
  const query = new URLSearchParams({ decode: "true" });
  for (const type of types) query.append("event_type", type);
  if (nodeName !== undefined) query.set("node_name", nodeName);
  if (pageSize !== 100) query.set("limit", String(pageSize));
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.toString();
}

/** Reads the page at a cursor. Throws an `InvalidResponseError`. */
export function readEventPage(
  response: RawResponse,
  cursor: string | undefined,
): EventPage {
  const body = objectOf(response);
  const events = getOwn(body, "events");
  if (!Array.isArray(events))
    throw invalidResponse(response, "events is missing");
  return {
    events: events.filter(isObject).map((event) => readEvent(event)),
    exactOutput(index) {
      const exact = getOwn(exactObjectOf(response), "events");
      const event = Array.isArray(exact) && exact.filter(isObject)[index];
      return isObject(event) ? getOwn(event, "output") : undefined;
    },
    nextCursor: nextCursorOf(body, cursor, response),
    response,
  };
}

/** Reads an event. */
export function readEvent(event: object): ExecutionEvent {
  const fields = event as JsonObject;
  return {
    type: textOf(fields, "type") ?? "",
    ulid: textOf(fields, "event_ulid") ?? "",
    timestampMs: numberOf(fields, "timestamp_ms"),
    nodeName: textOf(fields, "node_name"),
    input: getOwn(fields, "input") as JsonValue | undefined,
    output: getOwn(fields, "output") as JsonValue | undefined,
    errorMessage: textOf(fields, "error"),
    pauseId: textOf(fields, "pause_id"),
    fields,
  };
}
