import type { RootType } from "./codec.ts";
import { valueError } from "./from-json.ts";
import { writeMessage } from "./message.ts";

/** Writes a message as canonical ProtoJSON. Throws a `ValueError`. */
export function toJson<Input>(
  type: RootType<unknown, Input>,
  message: Input,
): string {
  try {
    return JSON.stringify(
      "codec" in type ? type.codec.write(message) : writeMessage(type, message),
    );
  } catch (error) {
    throw valueError(type.name, error);
  }
}
