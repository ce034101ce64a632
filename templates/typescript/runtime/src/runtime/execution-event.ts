import type { Answer } from "./answer.ts";
import { exactObjectOf, numberOf, objectOf, textOf } from "./answer-object.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from "./codec/json.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import type { CallOptions } from "./options.ts";

/** Something that happened in an execution. New types come without notice. */
export interface ExecutionEvent {
  /** `NODE_STARTED`, `NODE_COMPLETED`, `FLOW_COMPLETED` ... */
  readonly type: string;
  /** Unique and in the order of time. */
  readonly ulid: string;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  /** The placement in the flow that the event is of. */
  readonly nodeName: string | undefined;
  /** Messages as JSON, where the event carries one. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  /** The event as it came, with all of its fields. */
  readonly fields: JsonObject;
}

/** Which events to read, and how. */
export interface EventOptions extends CallOptions {
  /** Only events of these types. */
  types?: readonly string[] | undefined;
  /** Only events of this placement in the flow. */
  nodeName?: string | undefined;
  /** Events read by one request, at most 1,000; 100 when absent. */
  pageSize?: number | undefined;
}

/** A page of the history. */
export interface EventPage {
  readonly events: readonly ExecutionEvent[];
  /** Absent on the last page. */
  readonly nextCursor: string | undefined;
  readonly answer: Answer;
  /** Output of an event by its place, with large integers as `bigint`. */
  readonly exactOutput: (index: number) => unknown;
}

/** What a page is asked by. */
export function eventQuery(
  { types = [], nodeName, pageSize }: EventOptions,
  cursor: string | undefined,
): string {
  const query = new URLSearchParams({ decode: "true" });
  for (const type of types) query.append("event_type", type);
  if (nodeName !== undefined) query.set("node_name", nodeName);
  if (pageSize !== undefined) query.set("limit", String(pageSize));
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.toString();
}

/** Reads a page from its answer. Throws an `InvalidAnswerError`. */
export function readEventPage(answer: Answer): EventPage {
  const body = objectOf(answer);
  const events = getOwn(body, "events");
  if (!Array.isArray(events)) throw invalidAnswer(answer, "it has no events");
  return {
    events: events.filter(isObject).map((event) => readEvent(event)),
    exactOutput(index) {
      const exact = getOwn(exactObjectOf(answer), "events");
      const event = Array.isArray(exact) && exact.filter(isObject)[index];
      return isObject(event) ? getOwn(event, "output") : undefined;
    },
    nextCursor: textOf(body, "next_cursor"),
    answer,
  };
}

function readEvent(event: object): ExecutionEvent {
  const fields = event as JsonObject;
  return {
    type: textOf(fields, "type") ?? "",
    ulid: textOf(fields, "event_ulid") ?? "",
    timestampMs: numberOf(fields, "timestamp_ms"),
    nodeName: textOf(fields, "node_name"),
    input: getOwn(fields, "input") as JsonValue | undefined,
    output: getOwn(fields, "output") as JsonValue | undefined,
    fields,
  };
}
