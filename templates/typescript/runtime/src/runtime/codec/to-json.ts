import type { RootType } from "./codec.ts";
import { byCodec } from "./from-json.ts";
import type { Input } from "./values.ts";

/** Encodes a message as canonical ProtoJSON. Throws a `ValueError`. */
export function toJson<Message>(
  type: RootType<Message>,
  message: Message | Input<Message>,
): string {
  return byCodec(type, (codec) => JSON.stringify(codec.write(message)));
}
