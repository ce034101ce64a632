import { ValueError } from "../errors.ts";
import type { RootType, UnknownFields } from "./codec.ts";
import type { ParsedJson } from "./json.ts";
import { readMessage } from "./message.ts";
import { parseJson } from "./parse-json.ts";
import { ValueProblem } from "./value-problem.ts";

/** Options for `fromJson`. */
export interface FromJsonOptions {
  /** Whether unknown fields are ignored or rejected. */
  unknownFields?: UnknownFields;
}

/** Decodes a message from ProtoJSON text. Throws a `ValueError`. */
export function fromJson<Message>(
  type: RootType<Message>,
  text: string,
  options: FromJsonOptions = {},
): Message {
  try {
    return read(type, parseJson(text), options);
  } catch (error) {
    throw valueError(type.name, error);
  }
}

/** Decodes a message from parsed ProtoJSON. Throws a `ValueError`. */
export function fromParsedJson<Message>(
  type: RootType<Message>,
  json: ParsedJson,
): Message {
  try {
    return read(type, json, {});
  } catch (error) {
    throw valueError(type.name, error);
  }
}

function read<Message>(
  type: RootType<Message>,
  json: ParsedJson,
  { unknownFields = "ignore" }: FromJsonOptions,
): Message {
  return (
    "codec" in type
      ? type.codec.read(json)
      : readMessage(type, json, unknownFields)
  ) as Message;
}

/** Adds the message name and the path of the value. */
export function valueError(message: string, error: unknown): ValueError {
  if (error instanceof ValueProblem) {
    const where = error.path === "" ? message : `${message}: ${error.path}`;
    return new ValueError(`${where}: ${error.message}`, { cause: error });
  }
  if (error instanceof SyntaxError)
    return new ValueError(`${message}: not JSON: ${error.message}`, {
      cause: error,
    });
  // Cyclic or very deeply nested values overflow the stack.
  if (error instanceof RangeError)
    return new ValueError(`${message}: nested too deeply`, { cause: error });
  throw error;
}
