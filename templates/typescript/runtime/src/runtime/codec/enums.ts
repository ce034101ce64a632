import type { Codec, EnumType } from "./codec.ts";
import { getOwn, kindOf } from "./json.ts";
import { wellFormed } from "./text.ts";
import { ValueProblem } from "./value-problem.ts";

/**
 * Codec of an enum. Numbers with a name and aliases become the canonical name.
 * Other numbers and names are unchanged. The default is the value with number
 * 0, or the first value.
 */
export function enumOf({ values }: EnumType): Codec {
  // In reverse, so the first name of a number wins.
  const names = new Map(
    Object.entries(values)
      .reverse()
      .map(([name, number]) => [number, name]),
  );
  const convert = (json: unknown): string | number => {
    if (typeof json === "string" && json !== "") {
      const number = getOwn(values, json);
      if (number === undefined) return wellFormed(json);
      return names.get(number as number) ?? json;
    }
    if (typeof json !== "number")
      throw new ValueProblem(
        `expected a name or number, got ${json === "" ? "an empty string" : kindOf(json)}`,
      );
    // Truncating a 32-bit integer to 32 bits leaves it unchanged.
    if (json !== (json | 0))
      throw new ValueProblem("an enum number must be a 32-bit integer");
    return names.get(json) ?? json;
  };
  const zero = names.get(0) ?? Object.keys(values)[0] ?? 0;
  return { read: convert, write: convert, zero };
}
