import type { JsonValue } from '@bufbuild/protobuf';
import { jsonWithRaw } from '../../../specs/large-number.ts';

/** Like `JSON.stringify`, but writes negative zero as `-0`, so that a float converts back to the same bytes. */
export function stringifyJson(json: JsonValue): string {
  if (!containsNegativeZero(json)) return JSON.stringify(json);
  return JSON.stringify(json, (_key, value: unknown) =>
    Object.is(value, -0) ? jsonWithRaw.rawJSON('-0') : value,
  );
}

function containsNegativeZero(json: JsonValue): boolean {
  if (typeof json === 'number') return Object.is(json, -0);
  if (typeof json !== 'object' || json === null) return false;
  return Array.isArray(json)
    ? json.some(containsNegativeZero)
    : Object.values(json).some(containsNegativeZero);
}
