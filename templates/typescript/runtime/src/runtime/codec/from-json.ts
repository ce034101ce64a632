import { ValueError } from "../errors.ts";
import type { RootType, UnknownFields } from "./codec.ts";
import type { ParsedJson } from "./json.ts";
import { readMessage } from "./message.ts";
import { parseJson } from "./parse-json.ts";
import { ValueProblem } from "./value-problem.ts";

/** How a reader treats what it does not know. */
export interface FromJsonOptions {
  /** Fields that the message does not declare are ignored, or an error. */
  unknownFields?: UnknownFields;
}

/** Reads a message from a ProtoJSON text. Throws a `ValueError`. */
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

/** Reads a message from ProtoJSON that is parsed already. Throws a `ValueError`. */
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

/** Says which value of which message is wrong, and how. */
export function valueError(message: string, error: unknown): ValueError {
  if (error instanceof ValueProblem) {
    const where = error.path === "" ? message : `${message}: ${error.path}`;
    return new ValueError(`${where}: ${error.message}`, { cause: error });
  }
  if (error instanceof SyntaxError)
    return new ValueError(`${message}: not JSON: ${error.message}`, {
      cause: error,
    });
  // A value that contains itself, or is nested by the thousand, ends the stack.
  if (error instanceof RangeError)
    return new ValueError(`${message}: nested too deeply`, { cause: error });
  throw error;
}
