import type { RootType } from "./codec.ts";
import { valueError } from "./from-json.ts";
import { writeMessage } from "./message.ts";
import type { Input } from "./values.ts";

/** Encodes a message as canonical ProtoJSON. Throws a `ValueError`. */
export function toJson<Message>(
  type: RootType<Message>,
  message: Input<Message>,
): string {
  try {
    return JSON.stringify(
      "codec" in type ? type.codec.write(message) : writeMessage(type, message),
    );
  } catch (error) {
    throw valueError(type.name, error);
  }
}
