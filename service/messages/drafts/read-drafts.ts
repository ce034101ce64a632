import { limits } from '../../../specs/limits.ts';
import type { Scalar } from '../../../specs/messages/message-model.ts';
import { DraftError } from '../../errors/draft-error.ts';
import { jsonNameOf, nameProblem, quoteName } from './draft-names.ts';
import { foldDescription } from './fold-description.ts';
import type { DraftField, DraftMessage, DraftSet } from './message-draft.ts';

const scalars: readonly Scalar[] = [
  'string',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'double',
  'float',
  'bool',
  'bytes',
];

/**
 * Reads the message drafts of one request: `{message_name, description?, fields: {<name>: fieldDef}}`, with nested messages defined
 * inline. Two definitions with the same name and shape are one message, with the description of the first. The limits apply to all
 * drafts together.
 *
 * @param drafts any JSON, by label. Paths in error texts begin with the label
 * @param standing existing messages, which drafts may define again with the same shape. The result begins with them
 * @throws DraftError for the first problem
 *
 * @example readDrafts({ output: { message_name: 'Invoice', fields: { number: 'string', total: { kind: 'double' } } } })
 */
export function readDrafts(
  drafts: Readonly<Record<string, unknown>>,
  standing: readonly DraftMessage[] = [],
): DraftSet {
  const known: KnownMessages = new Map(standing.map((message) => [message.name, message]));
  const roots = Object.entries(drafts).map(([label, draft]): [string, string] => [
    label,
    readMessage(draft, { place: label, depth: 1, known }),
  ]);
  const messages = [...known.values()].filter((message) => message !== undefined);
  return { messages, roots: Object.fromEntries(roots) };
}

/**
 * By name. The value is `undefined` while the fields of the message are read, which reserves the message's position in the order.
 */
type KnownMessages = Map<string, DraftMessage | undefined>;

interface Reading {
  place: string;
  /** Nesting depth of the message, from 1. */
  depth: number;
  known: KnownMessages;
}

/** @returns the message's name */
function readMessage(draft: unknown, { place, depth, known }: Reading): string {
  if (depth > limits.draftDepth) {
    throw new DraftError(place, `messages nest deeper than ${limits.draftDepth} levels`);
  }
  const { message_name: name, description, fields } = objectOf(draft, place, messageKeys);
  if (typeof name !== 'string' || name === '') {
    throw new DraftError(place, 'message_name is required, for example "Invoice"');
  }
  const problem = nameProblem(name);
  if (problem) throw new DraftError(place, `message_name ${quoteName(name)} ${problem}`);
  if (!known.has(name)) {
    if (known.size === limits.draftMessages) {
      throw new DraftError(place, `the drafts define more than ${limits.draftMessages} messages`);
    }
    known.set(name, undefined);
  }
  const message: DraftMessage = {
    name,
    description: descriptionOf(description, place),
    fields: readFields(fields, { place, depth, known }),
  };
  const first = known.get(name);
  if (first && shapeOf(first) !== shapeOf(message)) {
    throw new DraftError(
      place,
      `message ${quoteName(name)} is already defined with other fields: rename one of the two messages`,
    );
  }
  known.set(name, first ?? message);
  return name;
}

const messageKeys = ['message_name', 'description', 'fields'] as const;
const fieldKeys = ['kind', 'repeated', 'optional', 'message', 'description'] as const;

function readFields(fields: unknown, reading: Reading): DraftField[] {
  const { place } = reading;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new DraftError(place, 'fields is required: an object that maps field names to definitions');
  }
  const entries = Object.entries(fields);
  if (entries.length === 0) throw new DraftError(place, 'fields is empty: add at least one field');
  if (entries.length > limits.fieldsPerMessage) {
    throw new DraftError(
      place,
      `fields has ${entries.length} entries: a message has at most ${limits.fieldsPerMessage}`,
    );
  }
  const byJsonName = new Map<string, string>();
  return entries.map(([name, definition]) => {
    const problem = nameProblem(name);
    if (problem) throw new DraftError(place, `field name ${quoteName(name)} ${problem}`);
    const jsonName = jsonNameOf(name);
    const other = byJsonName.get(jsonName);
    if (other !== undefined) {
      throw new DraftError(
        place,
        `fields "${other}" and "${name}" have the same JSON name "${jsonName}": rename one of them`,
      );
    }
    byJsonName.set(jsonName, name);
    const inner = { ...reading, place: `${place}.fields.${name}` };
    return { name, jsonName, ...readDefinition(definition, inner) };
  });
}

type Definition = Pick<DraftField, 'description' | 'cardinality' | 'type'>;

function readDefinition(definition: unknown, { place, depth, known }: Reading): Definition {
  if (typeof definition === 'string') {
    return { description: '', cardinality: 'single', type: { scalar: scalarOf(definition, place) } };
  }
  const { kind, repeated, optional, message, description } = objectOf(definition, place, fieldKeys);
  const isRepeated = flagOf(repeated, 'repeated', place);
  const isOptional = flagOf(optional, 'optional', place);
  if (isRepeated && isOptional) {
    throw new DraftError(place, 'repeated and optional are mutually exclusive: remove one of them');
  }
  const text = descriptionOf(description, place);
  if (kind === 'message') {
    if (message === undefined) {
      throw new DraftError(
        place,
        'message is required for kind "message": add the draft of the nested message',
      );
    }
    const name = readMessage(message, { place: `${place}.message`, depth: depth + 1, known });
    return { description: text, cardinality: isRepeated ? 'repeated' : 'single', type: { message: name } };
  }
  const scalar = scalarOf(kind, place);
  if (message !== undefined)
    throw new DraftError(place, `message is allowed only for kind "message", not for "${scalar}"`);
  const cardinality = isRepeated ? 'repeated' : isOptional ? 'optional' : 'single';
  return { description: text, cardinality, type: { scalar } };
}

function scalarOf(kind: unknown, place: string): Scalar {
  const scalar = scalars.find((one) => one === kind);
  if (scalar) return scalar;
  const given = typeof kind === 'string' ? `unknown kind ${quoteName(kind)}` : 'kind is required';
  throw new DraftError(place, `${given}: use ${scalars.join(', ')}, or {"kind": "message", "message": ...}`);
}

function flagOf(value: unknown, name: string, place: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw new DraftError(place, `${name} must be true or false`);
}

function descriptionOf(value: unknown, place: string): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return foldDescription(value);
  throw new DraftError(place, 'description must be a string');
}

/** Reads an object. Rejects unknown keys, so that a misspelt key is not ignored. */
function objectOf<Key extends string>(
  value: unknown,
  place: string,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DraftError(place, `must be an object with the keys ${keys.join(', ')}`);
  }
  const unknown = Object.keys(value).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw new DraftError(place, `unknown key ${quoteName(unknown)}: the keys are ${keys.join(', ')}`);
  }
  return value;
}

/** Everything but descriptions. Two messages with the same name must have the same shape. */
function shapeOf({ fields }: DraftMessage): string {
  return JSON.stringify(fields.map(({ name, cardinality, type }) => [name, cardinality, type]));
}
