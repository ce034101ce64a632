import { ValueError } from "../errors.ts";
import type { Codec, FieldCheck, RootType } from "./codec.ts";
import type { ParsedJson } from "./json.ts";
import { messageOf } from "./message.ts";
import { parseJson } from "./parse-json.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** How decoding treats unknown fields. */
export type UnknownFields = "ignore" | "reject";

/** Options for `fromJson`. */
export interface FromJsonOptions {
  /** Whether unknown fields are ignored or rejected. */
  unknownFields?: UnknownFields;
}

/** Decodes a message from ProtoJSON text. Throws a `ValueError`. */
export function fromJson<Message>(
  type: RootType<Message>,
  text: string,
  { unknownFields = "ignore" }: FromJsonOptions = {},
): Message {
  let json: ParsedJson;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw valueError(type.name, error);
    throw new ValueError(`${type.name}: not JSON: ${error.message}`, {
      cause: error,
    });
  }
  const check = unknownFields === "reject" ? rejectUnknown : undefined;
  return fromParsedJson(type, json, check);
}

/** Decodes a message from parsed ProtoJSON. Throws a `ValueError`. */
export function fromParsedJson<Message>(
  type: RootType<Message>,
  json: ParsedJson,
  check?: FieldCheck,
): Message {
  try {
    return codecOf(type).read(json, check) as Message;
  } catch (error) {
    throw valueError(type.name, error);
  }
}

/** Returns the codec of the input or output of a call. */
export function codecOf(type: RootType<unknown>): Codec {
  return "codec" in type ? type.codec : messageOf(type);
}

/** Adds the message name and the path of the value. */
export function valueError(message: string, error: unknown): ValueError {
  if (error instanceof ValueProblem) {
    const where = error.path === "" ? message : `${message}: ${error.path}`;
    return new ValueError(`${where}: ${error.message}`, { cause: error });
  }
  // Cyclic or very deeply nested values overflow the stack.
  if (error instanceof RangeError)
    return new ValueError(`${message}: nested too deeply`, { cause: error });
  throw error;
}

const rejectUnknown: FieldCheck = (object, isKnown) => {
  for (const name of Object.keys(object))
    if (!isKnown(name)) {
      const problem = `unknown field ${JSON.stringify(name)}`;
      throw beneath(name, new ValueProblem(problem));
    }
};
