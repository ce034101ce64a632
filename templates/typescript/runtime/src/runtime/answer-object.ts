import type { Answer } from "./answer.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  type ParsedObject,
} from "./codec/json.ts";
import { parseJson } from "./codec/parse-json.ts";
import { invalidAnswer } from "./invalid-answer.ts";

/** The JSON object that an answer holds. Throws an `InvalidAnswerError`. */
export function objectOf(answer: Answer): JsonObject {
  return parsed(answer, JSON.parse) as JsonObject;
}

/**
 * As `objectOf`, with integers that a `number` would round as `bigint`: for what
 * holds a message.
 */
export function exactObjectOf(answer: Answer): ParsedObject {
  return parsed(answer, parseJson) as ParsedObject;
}

function parsed(answer: Answer, parse: (text: string) => unknown): object {
  let body: unknown;
  try {
    body = parse(answer.body);
  } catch (error) {
    throw invalidAnswer(answer, "it is not JSON", error);
  }
  if (isObject(body)) return body;
  throw invalidAnswer(answer, "it is not a JSON object");
}

/** A text that has to be there. Throws an `InvalidAnswerError`. */
export function requiredText(
  object: object,
  key: string,
  answer: Answer,
): string {
  const text = textOf(object, key);
  if (text === undefined) throw invalidAnswer(answer, `it has no ${key}`);
  return text;
}

/** A text that is not empty. */
export function textOf(object: object, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number, or 0. */
export function numberOf(object: object, key: string): number {
  const value = getOwn(object, key);
  return typeof value === "number" ? value : 0;
}
