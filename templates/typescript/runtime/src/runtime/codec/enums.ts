import type { Codec, EnumType } from "./codec.ts";
import { kindOf } from "./json.ts";
import { wellFormed } from "./text.ts";
import { ValueProblem } from "./value-problem.ts";

/**
 * Reads and writes values of an enum alike: a number that has a name becomes its
 * canonical name, any other number or name stays as it is. The default value is
 * the one numbered 0, or the first.
 */
export function enumCodec({ values }: EnumType): Codec {
  // Backwards, so that the first name of a number is the one that stays.
  const names = new Map(
    Object.entries(values)
      .reverse()
      .map(([name, number]) => [number, name]),
  );
  const convert = (json: unknown): string | number => {
    if (typeof json === "string" && json !== "") return wellFormed(json);
    if (typeof json !== "number")
      throw new ValueProblem(
        `expected a name or number, got ${json === "" ? "an empty string" : kindOf(json)}`,
      );
    // An integer of 32 bits is what it is with all other bits cut off.
    if (json !== (json | 0))
      throw new ValueProblem("the number of an enum value is a 32-bit integer");
    return names.get(json) ?? json;
  };
  const zero = names.get(0) ?? Object.keys(values)[0] ?? 0;
  return { read: convert, write: convert, zero };
}
