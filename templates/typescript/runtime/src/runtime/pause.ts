import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from "./codec/json.ts";
import { InvalidResponseError } from "./errors.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { RawResponse } from "./response.ts";
import {
  nextCursorOf,
  objectOf,
  requiredText,
  textOf,
} from "./response-object.ts";

/** Status of a pause. All but `WAITING` are final. */
export type PauseStatus =
  "WAITING" | "RESUMED" | "EXPIRED" | "CANCELLED" | (string & {});

/** A question from a node to a human. The run waits for the decision. */
export interface Pause {
  /** Id of the pause. */
  readonly id: string;
  /** Id of the run. */
  readonly executionId: string;
  /** Id of the flow of the run. */
  readonly graphId: string | undefined;
  /** Placement in the flow that asked. */
  readonly nodeName: string | undefined;
  readonly status: PauseStatus;
  /** The question; undefined if the service omitted it from a large list. */
  readonly question: JsonValue | undefined;
  /** Full name of the decision's message type, such as `acme.v1.Approval`. */
  readonly decisionType: string | undefined;
  /** Id of the checkpoint at the pause. */
  readonly checkpointId: string | undefined;
  /** Time of the question in ISO 8601. */
  readonly createdAt: string | undefined;
  /** Deadline for the decision. The run is cancelled when it passes. */
  readonly expiresAt: string | undefined;
  /**
   * Link for deciding without an API key. It is undefined unless the pause is
   * waiting and the key is not an app key. It is a secret, so the property is not
   * enumerable: `console.log`, `JSON.stringify` and spreading omit it.
   */
  readonly resumeUrl: string | undefined;
  /** Time of the decision. */
  readonly resumedAt: string | undefined;
  /** Time of the escalation. */
  readonly escalatedAt: string | undefined;
  /** Who decided, if known. */
  readonly resumedBy: string | undefined;
  /** The decision, with likely secrets removed. */
  readonly decision: JsonValue | undefined;
}

/** The response to a decision on a pause. */
export interface ResumedPause {
  readonly pauseId: string;
  /** `RESUMED` */
  readonly status: PauseStatus;
  /** Time of the decision that won, in ISO 8601. */
  readonly resumedAt: string | undefined;
  /** Who made the decision that won, if known. */
  readonly resumedBy: string | undefined;
  /** The decision that won, with likely secrets removed. */
  readonly decision: JsonValue | undefined;
  /**
   * Whether another decision came first. False for a retry of the decision that
   * won.
   */
  readonly alreadyResumed: boolean;
}

/** A page of pauses. */
export interface PausePage {
  readonly pauses: Pause[];
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/**
 * Reads the page at a cursor. Its links are secrets, so printing the response or
 * an error does not show the body. Throws an `InvalidResponseError`.
 */
export function readPauses(response: RawResponse, cursor?: string): PausePage {
  try {
    return readPage(response, cursor);
  } catch (error) {
    if (error instanceof InvalidResponseError) hide(error, "body");
    throw error;
  } finally {
    hide(response, "body");
  }
}

/** Makes a property non-enumerable, to hide it from printing and spreading. */
function hide<Held extends object>(object: Held, name: keyof Held): Held {
  return Object.defineProperty(object, name, { enumerable: false });
}

function readPage(response: RawResponse, cursor?: string): PausePage {
  const body = objectOf(response);
  const pauses = getOwn(body, "pauses");
  if (!Array.isArray(pauses))
    throw invalidResponse(response, "pauses is missing");
  return {
    pauses: pauses
      .filter(isObject)
      .map((pause) => readPause(pause as JsonObject, response)),
    nextCursor: nextCursorOf(body, cursor, response),
  };
}

function readPause(fields: JsonObject, response: RawResponse): Pause {
  const pause: Pause = {
    id: requiredText(fields, "pause_id", response),
    executionId: requiredText(fields, "execution_id", response),
    graphId: textOf(fields, "graph_id"),
    nodeName: textOf(fields, "node_name"),
    status: requiredText(fields, "status", response),
    question: getOwn(fields, "interrupt_payload") as JsonValue | undefined,
    decisionType: textOf(fields, "resume_schema"),
    checkpointId: textOf(fields, "checkpoint_id"),
    createdAt: textOf(fields, "created_at"),
    expiresAt: textOf(fields, "expires_at"),
    resumeUrl: textOf(fields, "resume_url"),
    resumedAt: textOf(fields, "resumed_at"),
    escalatedAt: textOf(fields, "escalated_at"),
    resumedBy: textOf(fields, "resumed_by"),
    decision: givenOf(fields, "resume_value"),
  };
  return hide(pause, "resumeUrl");
}

/** Reads the response to a decision. Throws an `InvalidResponseError`. */
export function readResumedPause(response: RawResponse): ResumedPause {
  const fields = objectOf(response);
  return {
    pauseId: requiredText(fields, "pause_id", response),
    status: requiredText(fields, "status", response),
    resumedAt: textOf(fields, "resumed_at"),
    resumedBy: textOf(fields, "resumed_by"),
    decision: givenOf(fields, "resume_value"),
    alreadyResumed: getOwn(fields, "already_resumed") === true,
  };
}

/** Converts null to undefined. */
function givenOf(fields: JsonObject, key: string): JsonValue | undefined {
  return (getOwn(fields, key) ?? undefined) as JsonValue | undefined;
}
