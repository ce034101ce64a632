import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import type { HostileWords } from '../fuzz/hostile-words.ts';
import { type RandomNames, randomNames } from '../fuzz/random-names.ts';
import type { Seeded } from '../fuzz/seeded.ts';

/** A model that is edited in place, with sources of names and types for it. */
export interface ModelDraft {
  model: SdkModel;
  random: Seeded;
  /** Returns an identifier that no symbol of the model has, in any scope, and reserves it. */
  identifier(): string;
  /** Returns an alias that no member has, and reserves it. */
  alias(): string;
  /** Returns a type for a field. */
  fieldType(): FieldType;
  /** Returns an input or output for a member: a message of the model or a well-known type. */
  root(): string;
}

const wellKnown: readonly WellKnown[] = ['Any', 'Duration', 'Int64Value', 'Struct', 'Timestamp', 'Value'];
const scalars = ['double', 'int32', 'int64', 'uint64', 'bool', 'string', 'bytes'] as const;

export function draftOf(model: SdkModel, random: Seeded, words: HostileWords): ModelDraft {
  const names = randomNames(random, words);
  const taken = new Set(symbolNames(model).map(folded));
  const aliases = new Set(model.members.map(({ alias }) => alias));
  return {
    model,
    random,
    identifier: () => claim(names, taken),
    alias() {
      const alias = names.alias((name) => !aliases.has(name));
      aliases.add(alias);
      return alias;
    },
    fieldType() {
      const { messages, enums } = model.types;
      const kind = random.below(6);
      if (kind === 0) return { kind: 'wellKnown', wellKnown: random.pick(wellKnown) };
      if (kind === 1) return { kind: 'message', fullName: random.pick(messages).fullName };
      if (kind === 2 && enums.length > 0) return { kind: 'enum', fullName: random.pick(enums).fullName };
      return { kind: 'scalar', scalar: random.pick(scalars) };
    },
    root: () => (random.chance(0.1) ? 'google.protobuf.Struct' : random.pick(model.types.messages).fullName),
  };
}

/** Returns a field of a type. Its number is one above the highest of its message. */
export function newField(
  { fields }: MessageModel,
  { name, ...rest }: Pick<FieldModel, 'name' | 'type' | 'cardinality'> & Partial<FieldModel>,
): FieldModel {
  const number = Math.max(0, ...fields.map((field) => field.number)) + 1;
  return { name, jsonName: jsonNameOf(name), number, comment: '', deprecated: false, ...rest };
}

/** Returns a message without fields in the package of another type. */
export function newMessage(name: string, { fullName, name: sibling }: MessageModel): MessageModel {
  const scope = fullName.slice(0, fullName.length - sibling.length);
  return { fullName: `${scope}${name}`, name, comment: '', deprecated: false, fields: [], oneofs: [] };
}

/** Returns an enum in the package of a message. */
export function newEnum(name: string, values: EnumModel['values'], sibling: MessageModel): EnumModel {
  const { fullName } = newMessage(name, sibling);
  return { fullName, name, comment: '', deprecated: false, values };
}

function claim(names: RandomNames, taken: Set<string>): string {
  const name = names.identifier((each) => !taken.has(folded(each)));
  taken.add(folded(name));
  return name;
}

/** Returns the form in which protoc compares names: JSON names ignore case, and enum values ignore underscores. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function symbolNames({ types: { messages, enums } }: SdkModel): string[] {
  const all = [...messages, ...enums];
  return [
    ...all.flatMap(({ fullName }) => fullName.split('.')),
    ...messages.flatMap(({ fields, oneofs }) => [
      ...fields.flatMap(({ name, jsonName }) => [name, jsonName, `${name}Entry`]),
      ...oneofs.map(({ name }) => name),
    ]),
    ...enums.flatMap(({ values }) => values.map(({ name }) => name)),
  ];
}

/** Returns the JSON name that protoc derives. */
function jsonNameOf(name: string): string {
  return name.replace(/_+([a-z])?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
}
