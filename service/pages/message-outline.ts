import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { scalarName } from '../../specs/messages/describe-field-type.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';
import { fieldHint } from './field-hint.ts';

/** What a person needs to write a message as JSON. */
export interface MessageOutline {
  fields: readonly FieldOutline[];
  /** Fields were omitted, because there are too many. */
  isCut: boolean;
  /** JSON text of a message that has the fields of the outline, with nothing set. */
  skeleton: string;
}

/** A field of a message, and the fields within it. */
export interface FieldOutline {
  /** What to write for it, as `fieldHint` returns it. */
  hint: string;
  /** Fields of its message. Empty at the depth limit, and if the message contains itself. */
  fields: readonly FieldOutline[];
}

/** Maximum message levels, including the outermost. */
const maxDepth = 4;

/** Maximum number of fields in an outline: more would not help the reader. */
const maxFields = 50;

/** Absent from the skeleton. */
const absent = Symbol('absent');

type Skeleton = string | number | boolean | null | Skeleton[] | { [name: string]: Skeleton };

/** Describes the fields of a message and of its nested messages, and writes an empty message. */
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

/** Returns JSON that has the same effect as omitting the field: `null` for a field with presence, except for messages. */
function emptyValue(field: DescField, opened: Skeleton | undefined): Skeleton | typeof absent {
  if (field.fieldKind === 'list') return [];
  if (field.fieldKind === 'map') return {};
  // Only one member of a oneof may be given.
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
