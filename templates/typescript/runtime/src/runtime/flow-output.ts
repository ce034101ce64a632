import type { Answer } from "./answer.ts";
import type { RootType } from "./codec/codec.ts";
import { byCodec } from "./codec/from-json.ts";
import type { ParsedJson } from "./codec/json.ts";
import { ValueError } from "./errors.ts";
import { invalidAnswer } from "./invalid-answer.ts";

/** Returns `readOutput` for a type. */
export function readerOf<Output>(
  type: RootType<Output>,
): (json: unknown, answer: Answer) => Output {
  return (json, answer) => readOutput(type, json, answer);
}

/** Decodes the output of a flow. Throws an `InvalidAnswerError`. */
export function readOutput<Output>(
  type: RootType<Output>,
  json: unknown,
  answer: Answer,
): Output {
  if (json === undefined) throw invalidAnswer(answer, "output is missing");
  try {
    return byCodec(type, (codec) => codec.read(json as ParsedJson)) as Output;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw invalidAnswer(answer, error.message, error);
  }
}
