import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { fieldNamesOf } from '../../messages/field-names.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Shape } from '../transforms/shape.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { absent } from '../transforms/value.ts';
import type { Value } from '../transforms/value.ts';
import { fieldShape, messageShape } from './field-shape.ts';
import { messageValue, readField } from './read-field.ts';

/** A resolved path into a source. */
interface SourcePath {
  shape: Shape;
  read: (source: ReflectMessage, meter: WorkMeter) => Value;
}

/** Finds a field by its proto name, else by its JSON name. */
export function findField(type: DescMessage, name: string): DescField | undefined {
  return (
    type.fields.find((field) => field.name === name) ?? type.fields.find((field) => field.jsonName === name)
  );
}

/** Returns an error text: `acme.v1.Word has no field "txt": it has text, count`. */
export function noSuchField(type: DescMessage, name: string): string {
  return `${type.typeName} has no field "${name}": ${fieldNamesOf(type)}`;
}

/**
 * Returns advice for a field name that may be a literal: YAML strips the quotes from `"yes"`, which then reads as a
 * field.
 */
function asText(name: string): string {
  return `; for a string literal, write '"${name}"'`;
}

/**
 * Resolves the path of a field pick. The empty path is the whole message. A path leads through singular messages only. Its value
 * is `absent` if one of them is unset.
 *
 * @param pick source text of the pick, for error texts
 */
export function resolveSourcePath(
  type: DescMessage,
  path: readonly string[],
  pick: string,
): Outcome<SourcePath> {
  const fields: DescField[] = [];
  let at: DescMessage | undefined = type;
  for (const name of path) {
    const last = fields.at(-1);
    if (at === undefined) return failed(`field pick "${pick}" ${cannotTraverse(last, name)}`);
    const field = findField(at, name);
    if (field === undefined) {
      return failed(`field pick "${pick}": ${noSuchField(at, name)}${pick === name ? asText(name) : ''}`);
    }
    fields.push(field);
    at = field.fieldKind === 'message' && !isWrapperDesc(field.message) ? field.message : undefined;
  }
  const last = fields.pop();
  if (last === undefined) return done({ shape: messageShape(type), read: messageValue });
  return done({
    shape: fieldShape(last),
    read(source, meter) {
      let message = source;
      for (const field of fields) {
        if (!message.isSet(field)) return absent;
        message = message.get(field) as ReflectMessage;
      }
      return readField(message, last, meter);
    },
  });
}

function cannotTraverse(field: DescField | undefined, name: string): string {
  if (field?.fieldKind === 'list') {
    const example = `cel("${field.name}.map(one, one.${name})")`;
    return `requires matching cardinality: "${field.name}" is repeated: write ${example}`;
  }
  if (field?.fieldKind === 'map') {
    return `requires matching cardinality: "${field.name}" is a map: write cel("${field.name}['${name}']")`;
  }
  return `leads through "${field?.name ?? ''}", which is not a message`;
}
