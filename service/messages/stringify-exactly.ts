import type { JsonValue } from '@bufbuild/protobuf';

/** Not yet in the library's types. */
const exactJson = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** As `JSON.stringify`, which writes `0` for negative zero: a float would come back with other bytes. */
export function stringifyExactly(json: JsonValue): string {
  if (!holdsNegativeZero(json)) return JSON.stringify(json);
  return JSON.stringify(json, (_key, value: unknown) =>
    Object.is(value, -0) ? exactJson.rawJSON('-0') : value,
  );
}

function holdsNegativeZero(json: JsonValue): boolean {
  if (typeof json === 'number') return Object.is(json, -0);
  if (typeof json !== 'object' || json === null) return false;
  return Array.isArray(json) ? json.some(holdsNegativeZero) : Object.values(json).some(holdsNegativeZero);
}
