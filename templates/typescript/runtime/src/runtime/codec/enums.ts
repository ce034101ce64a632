import type { EnumType } from "./codec.ts";
import { kindOf } from "./json.ts";
import { ValueProblem } from "./value-problem.ts";

/**
 * Reads or writes an enum value: a number that has a name becomes its canonical
 * name, any other number or name stays as it is.
 */
export function readEnum(type: EnumType, json: unknown): string | number {
  if (typeof json === "string") return json;
  if (typeof json !== "number")
    throw new ValueProblem(`expected a name or number, got ${kindOf(json)}`);
  if (!Number.isInteger(json) || Math.abs(json) > 0x80000000)
    throw new ValueProblem("the number of an enum value is a 32-bit integer");
  return nameOf(type, json) ?? json;
}

/** The default value: the one numbered 0, or the first. */
export function enumZero(type: EnumType): string | number {
  return nameOf(type, 0) ?? Object.keys(type.values)[0] ?? 0;
}

function nameOf(type: EnumType, number: number): string | undefined {
  return Object.entries(type.values).find((entry) => entry[1] === number)?.[0];
}
