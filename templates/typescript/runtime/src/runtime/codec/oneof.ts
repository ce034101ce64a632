import type { Field, FieldType, Oneof } from "./codec.ts";
import { getOwn, isObject } from "./json.ts";
import { optional } from "./optional.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** The oneof of a property. Its value is `{case, value}`. */
export function oneofOf(property: string): Oneof {
  return { property, caseOf };
}

function caseOf(field: Field, fields: readonly Field[]): FieldType {
  const { type, oneof } = field;
  const name = caseName(field);
  return {
    ...optional(type),
    read: (json, check) => ({
      case: name,
      value: type.read(json, check),
    }),
    write(chosen) {
      if (chosen === null) return undefined;
      const set = isObject(chosen) ? chosen : {};
      if (set["case"] === name) {
        for (const key of Object.keys(set))
          if (!/^(case|value)$/.test(key) && getOwn(set, key) !== undefined)
            throw beneath(key, new ValueProblem("unknown property"));
        try {
          return type.write(set["value"]);
        } catch (error) {
          throw beneath("value", error);
        }
      }
      const cases = fields
        .filter((each) => each.oneof?.property === oneof?.property)
        .map(caseName);
      if (cases.some((each) => each === set["case"])) return undefined;
      throw new ValueProblem(
        `expected {case, value} where case is one of ${cases.join(", ")}`,
      );
    },
  };
}

function caseName({ name, json = name }: Field): string {
  return json;
}
