import { ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { fieldsByKey } from './fields-by-key.ts';
import { LargeNumber } from './large-number.ts';

/**
 * Gives every `LargeNumber` of parsed JSON the form that its field takes: exact for 64 bit integers, rounded for all others.
 * Changes `json` in place; what does not fit the type is left to `fromJson`.
 */
export function settleNumbers(type: DescMessage, json: unknown, registry: Registry): unknown {
  const name = type.typeName;
  if (json instanceof LargeNumber) return is64BitWrapper(name) ? json.exact() : json.rounded();
  if (typeof json !== 'object' || json === null) return json;
  if (name === 'google.protobuf.Any') {
    const embedded = embeddedType(json, registry);
    return embedded === undefined ? toNumbers(json) : settleAny(embedded, json, registry);
  }
  if (Array.isArray(json) || isFreeForm(name)) return toNumbers(json);
  return settleFields(type, json, registry);
}

function settleFields(type: DescMessage, json: object, registry: Registry): unknown {
  const fields = fieldsByKey(type);
  return replaceEach(json, (value, key) => {
    const field = fields.get(key);
    return field === undefined ? toNumbers(value) : settleField(field, value, registry);
  });
}

function settleField(field: DescField, json: unknown, registry: Registry): unknown {
  const many = field.fieldKind === 'list' || field.fieldKind === 'map';
  if (many && typeof json === 'object' && json !== null && !(json instanceof LargeNumber)) {
    return replaceEach(json, (value) => settleSingle(field, value, registry));
  }
  return settleSingle(field, json, registry);
}

function settleSingle(field: DescField, json: unknown, registry: Registry): unknown {
  if (field.message) return settleNumbers(field.message, json, registry);
  const exact = field.scalar !== undefined && holds64Bits(field.scalar);
  return exact && json instanceof LargeNumber ? json.exact() : toNumbers(json);
}

/** Types with a JSON form of their own stand under `value`, the fields of others beside `@type`. */
function settleAny(embedded: DescMessage, json: object, registry: Registry): unknown {
  if (!hasCustomJsonRepresentation(embedded)) return settleFields(embedded, json, registry);
  return replaceEach(json, (value, key) =>
    key === 'value' ? settleNumbers(embedded, value, registry) : toNumbers(value),
  );
}

function embeddedType(json: object, registry: Registry): DescMessage | undefined {
  const url = '@type' in json ? json['@type'] : undefined;
  return typeof url === 'string' ? registry.getMessage(url.slice(url.lastIndexOf('/') + 1)) : undefined;
}

function is64BitWrapper(name: string): boolean {
  return name === 'google.protobuf.Int64Value' || name === 'google.protobuf.UInt64Value';
}

function isFreeForm(name: string): boolean {
  return /^google\.protobuf\.(Struct|Value|ListValue)$/.test(name);
}

function holds64Bits(scalar: ScalarType): boolean {
  switch (scalar) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return true;
    default:
      return false;
  }
}

function toNumbers(json: unknown): unknown {
  if (json instanceof LargeNumber) return json.rounded();
  return typeof json === 'object' && json !== null ? replaceEach(json, toNumbers) : json;
}

function replaceEach<T extends object>(json: T, replace: (value: unknown, key: string) => unknown): T {
  for (const [key, value] of Object.entries(json) as [string, unknown][]) {
    const next = replace(value, key);
    // Not by assignment: the key may be `__proto__`.
    if (next !== value) {
      Object.defineProperty(json, key, { value: next, enumerable: true, configurable: true, writable: true });
    }
  }
  return json;
}
