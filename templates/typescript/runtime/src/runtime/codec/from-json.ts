import { ValueError } from "../errors.ts";
import type { Codec, FieldCheck, RootType } from "./codec.ts";
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
  const check = unknownFields === "reject" ? rejectUnknown : undefined;
  return byCodec(type, (codec) => {
    try {
      return codec.read(parseJson(text), check) as Message;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new ValueError(`${type.name}: not JSON: ${error.message}`, {
        cause: error,
      });
    }
  });
}

/**
 * Uses the codec of the input or output of a call. Throws a `ValueError` with
 * the name of the message and the path of the value.
 */
export function byCodec<Result>(
  type: RootType<unknown>,
  use: (codec: Codec) => Result,
): Result {
  try {
    return use("codec" in type ? type.codec : messageOf(type));
  } catch (cause) {
    const problem =
      cause instanceof RangeError
        ? // Cyclic or very deeply nested values overflow the stack.
          new ValueProblem("nested too deeply")
        : cause;
    if (!(problem instanceof ValueProblem)) throw cause;
    const { path, message } = problem;
    const where = path ? `${path}: ` : "";
    throw new ValueError(`${type.name}: ${where}${message}`, { cause });
  }
}

const rejectUnknown: FieldCheck = (object, fields) => {
  for (const name of Object.keys(object))
    if (!fields.some((field) => name === field.name || name === field.json)) {
      const problem = `unknown field ${JSON.stringify(name)}`;
      throw beneath(name, new ValueProblem(problem));
    }
};
