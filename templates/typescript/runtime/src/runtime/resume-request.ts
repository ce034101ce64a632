import { isBytes, toBase64 } from "./codec/base64.ts";
import { isObject } from "./codec/json.ts";
import { ValueError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { PauseDecision } from "./pause-decision.ts";

/**
 * A decision on a pause: a message of this package, converted by `decisionOf`, a
 * JSON object, the serialized message as a `Uint8Array`, or null for the default
 * of every field. Objects may be typed by an interface. Values that JSON does not
 * have are rejected at run time.
 */
export type Decision = object | null;

/** Options of a decision on a pause. */
export interface ResumeOptions extends CallOptions {
  /** Who decides; recorded in the pause and passed to the node. */
  resumedBy?: string | undefined;
}

/** Options of a fork. */
export interface ForkOptions extends CallOptions {
  /** Checkpoint to continue from. Defaults to the latest one of the run. */
  checkpointId?: string | undefined;
  /**
   * Input of the pending node, in any form of a decision. Defaults to its
   * original input.
   */
  input?: Decision | undefined;
}

/** Encodes the request that forks a run. Throws a `ValueError`. */
export function forkRequest({ checkpointId, input }: ForkOptions): string {
  const from =
    checkpointId === undefined
      ? undefined
      : quoted("checkpointId", checkpointId);
  const name = isBytes(input) ? "payload" : "input";
  const members = member("checkpoint_id", from) + member(name, valueOf(input));
  return `{${members.slice(1)}}`;
}

/** Encodes the request that decides on a pause. Throws a `ValueError`. */
export function resumeRequest(
  pauseId: string,
  decision: Decision,
  resumedBy: string | undefined,
): string {
  const pause = quoted("the id of the pause", pauseId);
  if (pauseId === "") throw new ValueError("the id of the pause is empty");
  if (decision === undefined)
    throw new ValueError("the decision is undefined: pass null for none");
  const value = valueOf(decision);
  const by =
    resumedBy === undefined ? undefined : quoted("resumedBy", resumedBy);
  return `{"pause_id":${pause}${member("value", value)}${member("resumed_by", by)}}`;
}

function member(name: string, json: string | undefined): string {
  return json === undefined ? "" : `,"${name}":${json}`;
}

/** Rejects unpaired surrogates, which the service does not accept. */
function quoted(what: string, text: unknown): string {
  if (typeof text !== "string")
    throw new ValueError(`${what} must be a string`);
  if (/\p{Surrogate}/u.test(text)) throw new ValueError("not valid Unicode");
  return JSON.stringify(text);
}

function valueOf(decision: unknown): string | undefined {
  if (decision === undefined || decision === null) return undefined;
  if (isBytes(decision)) return `"${toBase64(decision)}"`;
  const json =
    decision instanceof PauseDecision ? decision.json : objectText(decision);
  if (json.startsWith("{")) return json;
  throw new ValueError(
    "a decision or an input must be a message, a JSON object or a Uint8Array",
  );
}

function objectText(decision: unknown): string {
  try {
    return isObject(decision) ? JSON.stringify(decision, checkJson) : "";
  } catch (cause) {
    throw new ValueError(
      `a decision or an input cannot be encoded as JSON: ${String(cause)}`,
      { cause },
    );
  }
}

/** Rejects values that JSON would change, such as `NaN` or a `Map`. */
function checkJson(_name: string, value: unknown): unknown {
  if (typeof value === "bigint")
    throw new RangeError(`${value}n is not a JSON value: pass a string`);
  const isLost =
    typeof value === "number"
      ? !Number.isFinite(value)
      : !isObject(value) && !Array.isArray(value) && Object(value) === value;
  if (isLost) throw new RangeError(`${String(value)} is not a JSON value`);
  return value;
}
