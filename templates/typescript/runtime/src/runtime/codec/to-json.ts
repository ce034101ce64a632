import type { RootType } from "./codec.ts";
import { codecOf, valueError } from "./from-json.ts";
import type { Input } from "./values.ts";

/** Encodes a message as canonical ProtoJSON. Throws a `ValueError`. */
export function toJson<Message>(
  type: RootType<Message>,
  message: Input<Message>,
): string {
  try {
    return JSON.stringify(codecOf(type).write(message));
  } catch (error) {
    throw valueError(type.name, error);
  }
}
