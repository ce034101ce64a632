import type { Answer } from "./answer.ts";
import { getOwn, isObject, type JsonObject } from "./codec/json.ts";
import { invalidAnswer } from "./invalid-answer.ts";

/** The JSON object that an answer holds. Throws an `InvalidAnswerError`. */
export function objectOf(answer: Answer): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch (error) {
    throw invalidAnswer(answer, "it is not JSON", error);
  }
  if (isObject(body)) return body as JsonObject;
  throw invalidAnswer(answer, "it is not a JSON object");
}

/** A text that has to be there. Throws an `InvalidAnswerError`. */
export function requiredText(
  object: JsonObject,
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
