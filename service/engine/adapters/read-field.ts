import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { scalarName } from '../../../specs/messages/describe-field-type.ts';
import { absent } from '../transforms/value.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import type { Value } from '../transforms/value.ts';

/** Units of work to read an element of a list, and an entry of a map. */
const unitsOfElement = 0.5;
const unitsOfMessageElement = 2;
const unitsOfEntry = 4;

/** Reads a field. A field with presence that is unset is `absent`. */
export function readField(message: ReflectMessage, field: DescField, meter: WorkMeter): Value {
  if (field.fieldKind === 'list') {
    meter.spend(
      message.get(field).size * (field.listKind === 'message' ? unitsOfMessageElement : unitsOfElement),
    );
    return { kind: 'list', values: Array.from(message.get(field), (one) => elementValue(field, one)) };
  }
  if (field.fieldKind === 'map') {
    meter.spend(message.get(field).size * unitsOfEntry);
    const entries = Array.from(
      message.get(field),
      ([key, one]) => [scalarValue(scalarName(field.mapKey), key), elementValue(field, one)] as const,
    );
    return { kind: 'map', entries };
  }
  const isSet = message.isSet(field);
  if (!isSet && field.presence !== FeatureSet_FieldPresence.IMPLICIT) return absent;
  const value = elementValue(field, message.get(field));
  return isSet ? value : { ...value, unset: true };
}

/** Converts a message to a value. A wrapper becomes its content. */
export function messageValue(message: ReflectMessage): Value {
  const { desc } = message;
  if (!isWrapperDesc(desc)) return { kind: 'message', value: message };
  const [field] = (desc as DescMessage).fields;
  return field === undefined ? absent : elementValue(field, message.get(field));
}

function elementValue(field: DescField, value: unknown): Value {
  if (isReflectMessage(value)) return messageValue(value);
  if (field.enum !== undefined) return enumValue(field.enum, value as number);
  return scalarValue(field.scalar === undefined ? 'string' : scalarName(field.scalar), value);
}

function enumValue(type: DescEnum, value: number): Value {
  return { kind: 'enum', value, type };
}

/** Reflection returns 64-bit integers as bigint, even for fields with `jstype = JS_STRING`. */
function scalarValue(kind: ReturnType<typeof scalarName>, value: unknown): Value {
  return { kind, value } as Value;
}
