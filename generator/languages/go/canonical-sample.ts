import type { FieldModel, TypeModel } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import type { JsonValue } from '../../model/sdk-model.ts';

/** Converts a sample to the JSON that the SDK writes for it. */
type Canonical = (fullName: string, sample: JsonValue) => JsonValue;

/**
 * Returns a function that converts samples. A sample shows every field, but the SDK omits enums without presence that
 * have their default value, and null for a field of type `NullValue`. An enum without another value has no other
 * sample.
 */
export function canonicalSamples({ messages, enums }: TypeModel): Canonical {
  const fieldsOf = new Map(messages.map(({ fullName, fields }) => [fullName, fields]));
  const defaults = new Map(
    enums.map(({ fullName, values }) => [
      fullName,
      (values.find(({ number }) => number === 0) ?? values[0])?.name,
    ]),
  );
  const isLeftOut = (field: FieldModel, value: JsonValue): boolean =>
    isAbsentNull(field, value) || isDefaultEnum(field, value);
  const isDefaultEnum = (field: FieldModel, value: JsonValue): boolean =>
    field.type.kind === 'enum' &&
    field.cardinality === 'single' &&
    !hasPresence(field) &&
    defaults.get(field.type.fullName) === value;
  const ofField = (field: FieldModel, value: JsonValue): JsonValue => {
    const { type, cardinality } = field;
    if (type.kind !== 'message') return value;
    if (cardinality === 'map') return mapValues(value, (item) => canonical(type.fullName, item));
    return Array.isArray(value)
      ? value.map((item) => canonical(type.fullName, item))
      : canonical(type.fullName, value);
  };
  const canonical: Canonical = (fullName, sample) => {
    const fields = new Map(fieldsOf.get(fullName)?.map((field) => [field.jsonName, field]));
    return mapValues(sample, (value, name) => {
      const field = fields.get(name);
      if (field === undefined) return value;
      return isLeftOut(field, value) ? undefined : ofField(field, value);
    });
  };
  return canonical;
}

/**
 * Reports whether a value is a null that does not set a field of type `NullValue`. Null sets such a field only in a
 * oneof.
 */
function isAbsentNull({ type, oneof, cardinality }: FieldModel, value: JsonValue): boolean {
  const isNullValue = type.kind === 'wellKnown' && type.wellKnown === 'NullValue';
  return isNullValue && value === null && oneof === undefined && cardinality !== 'repeated';
}

/** Maps the properties of an object, without those that become undefined. Returns any other value unchanged. */
function mapValues(
  value: JsonValue,
  change: (value: JsonValue, name: string) => JsonValue | undefined,
): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const changed = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const made = change(item, name);
    return made === undefined ? [] : [[name, made]];
  });
  // A field may be named `__proto__`; `fromEntries` creates an own property for it.
  return Object.fromEntries(changed);
}
