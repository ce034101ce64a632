import { ValueProblem } from "./value-problem.ts";

/** Rejects unpaired surrogates, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new ValueProblem("not valid Unicode");
  return text;
}
