import type { RootType } from "./codec/codec.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";

/** A message as a decision on a pause. `decisionOf` creates it. */
export class PauseDecision {
  /** ProtoJSON of the message. */
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/**
 * Turns a message of this package into a decision on a pause. Throws a
 * `ValueError` if the message is invalid.
 */
export function decisionOf<Message>(
  type: RootType<Message>,
  message: Message | Input<Message>,
): PauseDecision {
  return new PauseDecision(toJson(type, message));
}
