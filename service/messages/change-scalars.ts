import type { DescField, DescMessage, Registry, ScalarType } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { fieldsByKey } from './fields-by-key.ts';
import { LargeNumber } from './large-number.ts';
import type { Reach } from './reaches.ts';

/** A walk over ProtoJSON in its parsed form that changes values by the scalar type that the message gives them. */
export interface ScalarWalk {
  /** Where types, and those of an `Any`, are looked up. */
  registry?: Registry | undefined;
  /** Messages in which there is nothing to change. */
  reach?: Reach;
  /**
   * @param scalar undefined where no scalar is wanted: the value may be JSON of a free form, or what fits no field.
   * @returns what stands there from now on.
   */
  change: (scalar: ScalarType | undefined, json: unknown) => unknown;
}

/** Changes `json` in place, which need not fit the type. */
export function changeScalars(type: DescMessage, json: unknown, walk: ScalarWalk): unknown {
  if (walk.reach?.(type) === false) return json;
  if (isWrapperDesc(type)) return walk.change(type.fields[0].scalar, json);
  if (!isContainer(json) || Array.isArray(json)) return walk.change(undefined, json);
  if (type.typeName === 'google.protobuf.Any') return changeAny(json, walk);
  if (hasCustomJsonRepresentation(type)) return walk.change(undefined, json);
  return changeFields(type, json, walk);
}

/** Objects and arrays, as the parser made them. */
export function isContainer(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !(json instanceof LargeNumber);
}

/** Puts something else in the place of each property or element. */
export function replaceEach<T extends object>(json: T, replace: (value: unknown, key: string) => unknown): T {
  for (const [key, value] of Object.entries(json) as [string, unknown][]) {
    const next = replace(value, key);
    // Not by assignment: the key may be `__proto__`.
    if (next !== value) {
      Object.defineProperty(json, key, { value: next, enumerable: true, configurable: true, writable: true });
    }
  }
  return json;
}

function changeFields(type: DescMessage, json: object, walk: ScalarWalk): unknown {
  const fields = fieldsByKey(type);
  return replaceEach(json, (value, key) => {
    const field = fields.get(key);
    return field === undefined ? walk.change(undefined, value) : changeField(field, value, walk);
  });
}

function changeField(field: DescField, json: unknown, walk: ScalarWalk): unknown {
  const many = field.fieldKind === 'list' || field.fieldKind === 'map';
  if (many && isContainer(json)) return replaceEach(json, (value) => changeSingle(field, value, walk));
  return changeSingle(field, json, walk);
}

function changeSingle(field: DescField, json: unknown, walk: ScalarWalk): unknown {
  return field.message ? changeScalars(field.message, json, walk) : walk.change(field.scalar, json);
}

/** Types with a JSON form of their own stand under `value`, the fields of others beside `@type`. */
function changeAny(json: object, walk: ScalarWalk): unknown {
  const url = '@type' in json ? json['@type'] : undefined;
  const embedded =
    typeof url === 'string' ? walk.registry?.getMessage(url.slice(url.lastIndexOf('/') + 1)) : undefined;
  if (embedded === undefined) return walk.change(undefined, json);
  if (!hasCustomJsonRepresentation(embedded)) return changeFields(embedded, json, walk);
  return replaceEach(json, (value, key) =>
    key === 'value' ? changeScalars(embedded, value, walk) : walk.change(undefined, value),
  );
}
