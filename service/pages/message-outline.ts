import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { scalarName } from '../../specs/messages/describe-field-type.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';
import { fieldHint } from './field-hint.ts';

/** What a person needs to write a message as JSON. */
export interface MessageOutline {
  fields: readonly FieldOutline[];
  /** Fields were left out, because there are too many. */
  isCut: boolean;
  /** JSON text of a message that has the fields of the outline, with nothing set. */
  skeleton: string;
}

export interface FieldOutline {
  hint: string;
  /** Of its message. Empty at the depth limit, and where the message contains itself. */
  fields: readonly FieldOutline[];
}

/** Levels of messages, the outermost included. */
const maxDepth = 4;

/** Further names explain nothing more. */
const maxFields = 50;

/** Absent from the skeleton. */
const absent = Symbol('absent');

type Skeleton = string | number | boolean | null | Skeleton[] | { [name: string]: Skeleton };

/** Describes the fields of a message and of those in it, and writes an empty one. */
export function outlineMessage(message: DescMessage): MessageOutline {
  let left = maxFields;
  let isCut = false;

  const fieldsOf = (
    type: DescMessage,
    path: readonly DescMessage[],
  ): { fields: FieldOutline[]; skeleton: Skeleton } => {
    if (wellKnownOf(type) !== undefined) return { fields: [], skeleton: {} };
    const shown = type.fields.slice(0, left);
    left -= shown.length;
    isCut ||= shown.length < type.fields.length;
    const inside = [...path, type];
    const fields: FieldOutline[] = [];
    const skeleton: [string, Skeleton][] = [];
    for (const field of shown) {
      const opened = opens(field, inside) ? fieldsOf(field.message, inside) : undefined;
      fields.push({ hint: fieldHint(field), fields: opened?.fields ?? [] });
      const value = emptyValue(field, opened?.skeleton);
      if (value !== absent) skeleton.push([field.jsonName, value]);
    }
    return { fields, skeleton: Object.fromEntries(skeleton) };
  };

  const { fields, skeleton } = fieldsOf(message, []);
  return { fields, isCut, skeleton: JSON.stringify(skeleton, null, 2) };
}

function opens(
  field: DescField,
  inside: readonly DescMessage[],
): field is DescField & { message: DescMessage } {
  return (
    field.message !== undefined &&
    wellKnownOf(field.message) === undefined &&
    inside.length < maxDepth &&
    !inside.includes(field.message)
  );
}

/** Returns JSON that leaves a field as it is without it: a field that knows whether it is set is `null`, except for messages. */
function emptyValue(field: DescField, opened: Skeleton | undefined): Skeleton | typeof absent {
  if (field.fieldKind === 'list') return [];
  if (field.fieldKind === 'map') return {};
  // Of the members of a oneof, one may be given.
  if (field.oneof) return absent;
  if (field.message) {
    // A `Value` can be null, so null would set it.
    return opened ?? (wellKnownOf(field.message) === 'Value' ? absent : null);
  }
  if (field.enum && wellKnownOf(field.enum) === 'NullValue') return absent;
  if (field.presence === FeatureSet_FieldPresence.EXPLICIT) return null;
  if (field.enum) return field.enum.values[0]?.name ?? absent;
  const scalar = scalarName(field.scalar);
  if (scalar === 'bool') return false;
  return scalar === 'string' || scalar === 'bytes' ? '' : 0;
}
