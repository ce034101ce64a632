import type { DescField, DescMessage, Registry, ScalarType } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { fieldsByJsonKey } from './fields-by-json-key.ts';
import { LargeNumber } from '../../../specs/large-number.ts';
import type { MessageTypeTest } from '../contains-field.ts';

/** How to rewrite the scalars of parsed ProtoJSON, by the scalar types of the message. */
interface ScalarRewrite {
  /** Resolves the content of an `Any`. */
  registry?: Registry | undefined;
  /** Skips message types for which it returns false. */
  appliesTo?: MessageTypeTest;
  /**
   * @param scalar undefined where the type has no scalar: in free-form JSON, and in JSON that does not match the type
   * @returns the new value
   */
  rewrite: (scalar: ScalarType | undefined, json: unknown) => unknown;
}

/** Rewrites `json` in place. The JSON need not match the type. */
export function rewriteScalars(type: DescMessage, json: unknown, walk: ScalarRewrite): unknown {
  if (walk.appliesTo?.(type) === false) return json;
  if (isWrapperDesc(type)) return walk.rewrite(type.fields[0].scalar, json);
  if (!isContainer(json) || Array.isArray(json)) return walk.rewrite(undefined, json);
  if (type.typeName === 'google.protobuf.Any') return rewriteAny(json, walk);
  if (hasCustomJsonRepresentation(type)) return walk.rewrite(undefined, json);
  return rewriteFields(type, json, walk);
}

/** Reports whether parsed JSON is an object or an array. */
export function isContainer(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !(json instanceof LargeNumber);
}

/** Replaces each property or element in place. */
export function replaceEach<T extends object>(json: T, replace: (value: unknown, key: string) => unknown): T {
  for (const [key, value] of Object.entries(json) as [string, unknown][]) {
    const next = replace(value, key);
    // Assignment would set the prototype if the key is `__proto__`.
    if (next !== value) {
      Object.defineProperty(json, key, { value: next, enumerable: true, configurable: true, writable: true });
    }
  }
  return json;
}

function rewriteFields(type: DescMessage, json: object, walk: ScalarRewrite): unknown {
  const fields = fieldsByJsonKey(type);
  return replaceEach(json, (value, key) => {
    const field = fields.get(key);
    return field === undefined ? walk.rewrite(undefined, value) : rewriteField(field, value, walk);
  });
}

function rewriteField(field: DescField, json: unknown, walk: ScalarRewrite): unknown {
  const isCollection = field.fieldKind === 'list' || field.fieldKind === 'map';
  if (isCollection && isContainer(json))
    return replaceEach(json, (value) => rewriteSingle(field, value, walk));
  return rewriteSingle(field, json, walk);
}

function rewriteSingle(field: DescField, json: unknown, walk: ScalarRewrite): unknown {
  return field.message ? rewriteScalars(field.message, json, walk) : walk.rewrite(field.scalar, json);
}

/** A type with a custom JSON form is under `value`. The fields of other types are next to `@type`. */
function rewriteAny(json: object, walk: ScalarRewrite): unknown {
  const url = '@type' in json ? json['@type'] : undefined;
  const embedded =
    typeof url === 'string' ? walk.registry?.getMessage(url.slice(url.lastIndexOf('/') + 1)) : undefined;
  if (embedded === undefined) return walk.rewrite(undefined, json);
  if (!hasCustomJsonRepresentation(embedded)) return rewriteFields(embedded, json, walk);
  return replaceEach(json, (value, key) =>
    key === 'value' ? rewriteScalars(embedded, value, walk) : walk.rewrite(undefined, value),
  );
}
