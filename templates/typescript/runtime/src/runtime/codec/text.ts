import { ValueProblem } from "./value-problem.ts";

/** Refuses half of a surrogate pair: no UTF-8 has one, so another text would arrive. */
export function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new ValueProblem("not valid Unicode");
  return text;
}
