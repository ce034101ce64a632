import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { findField, noSuchField } from './source-path.ts';

/** A resolved path into the target: the messages on the way, then the field to set. */
export interface TargetPath {
  /** Proto names joined by dots, equal for every spelling of the path. */
  name: string;
  through: readonly DescField[];
  field: DescField;
}

/** Resolves a destination field path. */
export function resolveTargetPath(type: DescMessage, path: string): Outcome<TargetPath> {
  if (/[()]/.test(path)) {
    return failed(`malformed destination field path "${path}": "(" and ")" are not allowed in it`);
  }
  const names = path.split('.');
  if (!names.every((name) => /^[A-Za-z_]\w*$/.test(name))) {
    return failed(`malformed destination field path "${path}": write field names separated by dots`);
  }
  const fields: DescField[] = [];
  let at: DescMessage | undefined = type;
  for (const name of names) {
    if (at === undefined) return failed(`destination field path "${path}" ${cannotTraverse(fields.at(-1))}`);
    const field = findField(at, name);
    if (field === undefined) return failed(`destination field path "${path}": ${noSuchField(at, name)}`);
    fields.push(field);
    at = field.fieldKind === 'message' && !isWrapperDesc(field.message) ? field.message : undefined;
  }
  const name = fields.map((field) => field.name).join('.');
  const field = fields.pop();
  return field === undefined
    ? failed('malformed destination field path: it is empty')
    : done({ name, through: fields, field });
}

/** Returns the message that contains the field. Creates the messages on the way that are unset. */
export function openTarget(target: ReflectMessage, { through }: TargetPath): ReflectMessage {
  let message = target;
  for (const field of through) {
    if (field.fieldKind !== 'message') throw new Error(`the path leads through ${field.toString()}`);
    // Reading an unset field returns a new message that is not yet part of its parent.
    const inner: ReflectMessage = message.get(field);
    if (!message.isSet(field)) message.set(field, inner);
    message = inner;
  }
  return message;
}

function cannotTraverse(field: DescField | undefined): string {
  if (field?.fieldKind === 'list' || field?.fieldKind === 'map') {
    const kind = field.fieldKind === 'list' ? 'repeated' : 'a map';
    return `requires matching cardinality: "${field.name}" is ${kind}: set the whole field, for example with cel(...)`;
  }
  return `leads through "${field?.name ?? ''}", which is not a message`;
}
