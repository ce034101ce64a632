import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { findField, noSuchField } from './source-path.ts';

/** A path into the target, resolved: messages to go through, then the field to set. */
export interface TargetPath {
  /** Proto names joined by dots, the same for every spelling of the path. */
  name: string;
  through: readonly DescField[];
  field: DescField;
}

/** Resolves where an expression's value goes; or says why there is no such place. */
export function resolveTargetPath(type: DescMessage, path: string): Outcome<TargetPath> {
  if (/[()]/.test(path)) {
    return failed(`malformed destination field path "${path}": "(" and ")" are not allowed in it`);
  }
  const names = path.split('.');
  if (!names.every((name) => /^[A-Za-z_]\w*$/.test(name))) {
    return failed(
      `malformed destination field path "${path}": write names of fields, with dots between them`,
    );
  }
  const fields: DescField[] = [];
  let at: DescMessage | undefined = type;
  for (const name of names) {
    if (at === undefined) return failed(`destination field path "${path}" ${noWayThrough(fields.at(-1))}`);
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

/** The message that holds the field, with those on the way made where they are not set. */
export function openTarget(target: ReflectMessage, { through }: TargetPath): ReflectMessage {
  let message = target;
  for (const field of through) {
    if (field.fieldKind !== 'message') throw new Error(`the path leads through ${field.toString()}`);
    // What is not set reads as a new message, which belongs to nobody until it is set.
    const inner: ReflectMessage = message.get(field);
    if (!message.isSet(field)) message.set(field, inner);
    message = inner;
  }
  return message;
}

function noWayThrough(field: DescField | undefined): string {
  if (field?.fieldKind === 'list' || field?.fieldKind === 'map') {
    const kind = field.fieldKind === 'list' ? 'repeated' : 'a map';
    return `requires matching cardinality: "${field.name}" is ${kind}; fill it as a whole, e.g. by cel(...)`;
  }
  return `leads through "${field?.name ?? ''}", which is no message`;
}
