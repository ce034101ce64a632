import { createSampler } from '../../generator/model/sample-message.ts';
import type { SdkMember, SdkModel } from '../../generator/model/sdk-model.ts';
import type {
  EnumModel,
  EnumValueModel,
  FieldModel,
  FieldType,
  MessageModel,
  OneofModel,
  TypeModel,
} from '../../specs/messages/message-model.ts';
import type { HostileWords } from './hostile-words.ts';
import { type RandomNames, randomNames } from './random-names.ts';
import { type Seeded, seeded } from './seeded.ts';

const scalars = ['double', 'float', 'int32', 'int64', 'uint32', 'uint64', 'bool', 'string', 'bytes'] as const;
const mapKeys = ['int32', 'int64', 'uint32', 'uint64', 'bool', 'string'] as const;
const wellKnown = [
  ...([
    'Any',
    'BoolValue',
    'BytesValue',
    'DoubleValue',
    'Duration',
    'Empty',
    'FieldMask',
    'FloatValue',
  ] as const),
  ...(['Int32Value', 'Int64Value', 'ListValue', 'NullValue', 'StringValue', 'Struct', 'Timestamp'] as const),
  ...(['UInt32Value', 'UInt64Value', 'Value'] as const),
];
const wellKnownRoots = ['google.protobuf.Empty', 'google.protobuf.Struct', 'google.protobuf.Value'];

/** Comments that end comments, strings and documents. */
const comments = [
  '',
  '',
  'Says so.',
  '*/ """ \'\'\' ``` </summary> {@code',
  '{{x}} ${x} \\u002a/ #',
  'a\n@deprecated\n\n- b',
  '\u202e\u2028',
];

/**
 * A client version that a tenant could make, of names that no one would choose. Names follow the rules of protobuf: a scope has
 * each once, and messages, enums, values, fields and oneofs share the scope that they stand in. The same seed, the same model.
 */
export function randomModel(seed: number, words: HostileWords): SdkModel {
  const random = seeded(seed);
  const names = randomNames(random, words);
  const types = randomTypes(random, names);
  const taken = new Set<string>();
  const members = Array.from({ length: 2 + random.below(5) }, (_, index) => {
    const alias = names.alias((name) => !taken.has(name));
    taken.add(alias);
    return randomMember({ random, types, alias, ulid: `01K${String(index).padStart(23, '0')}` });
  });
  const client = {
    // The service trims names, and takes no empty one.
    name: (random.chance(0.3) && random.pick(words.texts).trim()) || 'Shop',
    slug: names.slug(),
    description: random.pick(comments),
    handle: names.slug(),
  };
  const version = 1 + random.below(3);
  const semver = `${version}.0.0`;
  return {
    client,
    version,
    semver,
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: members.sort((a, b) => (a.alias < b.alias ? -1 : 1)),
    types,
    changelog: [
      { version, semver, added: members.map(({ alias }) => `Call ${alias}.`), changed: [], removed: [] },
    ],
    firstSeen: [],
  };
}

/** Models from a seed on, of packages that can stand side by side: no two are called the same. */
export function randomModels(count: number, seed: number, words: HostileWords): SdkModel[] {
  const models = new Map<string, SdkModel>();
  for (let next = seed; models.size < count; next += 1) {
    const model = randomModel(next, words);
    const name = `${model.client.handle}-${model.client.slug}`;
    if (!models.has(name)) models.set(name, model);
  }
  return [...models.values()];
}

interface MemberChoice {
  random: Seeded;
  types: TypeModel;
  alias: string;
  ulid: string;
}

function randomMember({ random, types, alias, ulid }: MemberChoice): SdkMember {
  const root = (): string =>
    random.chance(0.1) ? random.pick(wellKnownRoots) : random.pick(types.messages).fullName;
  const input = root();
  const rest = {
    alias,
    mode: random.chance(0.7) ? ('unary' as const) : ('pipeline' as const),
    comment: random.pick(comments),
    input,
    output: root(),
    sample: createSampler(types).sample(input),
  };
  if (random.chance(0.5)) return { type: 'flow', pin: { artifact: 'g1', graph: 'g1' }, ...rest };
  return { type: 'node', pin: { package: 'acme/text', version: '1.0.0', node: 'Node', ulid }, ...rest };
}

function randomTypes(random: Seeded, names: RandomNames): TypeModel {
  /** Full names: all kinds of symbols share them. */
  const symbols = new Set<string>();
  const symbol = (scope: string): string => {
    const name = names.identifier((each) => !symbols.has(`${scope}.${each}`));
    symbols.add(`${scope}.${name}`);
    return name;
  };
  const packages = Array.from({ length: 1 + random.below(2) }, () => {
    const parts = [
      names.identifier(() => true).toLowerCase(),
      random.chance(0.5) ? 'v1' : names.identifier(() => true),
    ];
    parts.forEach((_, index) => symbols.add(parts.slice(0, index + 1).join('.')));
    return parts.join('.');
  });
  const messages: MessageModel[] = [];
  const enums: EnumModel[] = [];
  for (let count = 2 + random.below(5); count > 0; count -= 1) {
    const { scope, parents } = randomScope(random, packages, messages);
    const name = symbol(scope);
    messages.push({
      fullName: `${scope}.${name}`,
      name: `${parents}${name}`,
      comment: random.pick(comments),
      deprecated: random.chance(0.1),
      fields: [],
      oneofs: [],
    });
  }
  for (let count = random.below(4); count > 0; count -= 1) {
    const { scope, parents } = randomScope(random, packages, messages);
    const name = symbol(scope);
    enums.push({
      fullName: `${scope}.${name}`,
      name: `${parents}${name}`,
      comment: random.pick(comments),
      deprecated: random.chance(0.1),
      values: Array.from({ length: 1 + random.below(6) }, (_, index): EnumValueModel => ({
        name: symbol(scope),
        number: index === 0 || random.chance(0.1) ? 0 : random.pick([index, index, -index, 2 ** 31 - index]),
        comment: random.pick(comments),
        deprecated: random.chance(0.1),
      })),
    });
  }
  for (const message of messages) addFields({ random, message, symbol, messages, enums });
  return { messages: messages.sort(byFullName), enums: enums.sort(byFullName) };
}

/** A package, or a message that a type is nested in. */
function randomScope(
  random: Seeded,
  packages: readonly string[],
  messages: readonly MessageModel[],
): { scope: string; parents: string } {
  if (messages.length === 0 || random.chance(0.7)) return { scope: random.pick(packages), parents: '' };
  const parent = random.pick(messages);
  return { scope: parent.fullName, parents: `${parent.name}.` };
}

interface FieldChoice {
  random: Seeded;
  message: MessageModel;
  symbol: (scope: string) => string;
  messages: readonly MessageModel[];
  enums: readonly EnumModel[];
}

function addFields({ random, message, symbol, messages, enums }: FieldChoice): void {
  const jsonNames = new Set<string>();
  const oneofs: OneofModel[] = Array.from({ length: random.below(3) }, () => ({
    name: symbol(message.fullName),
    comment: random.pick(comments),
    fields: [],
  }));
  for (let number = 1, count = random.below(9); number <= count; number += 1) {
    const name = symbol(message.fullName);
    const jsonName = random.chance(0.05) ? `${name}-${number}"'\\*/` : jsonNameOf(name);
    if (jsonNames.has(jsonName)) continue;
    jsonNames.add(jsonName);
    const oneof = oneofs.length > 0 && random.chance(0.4) ? random.pick(oneofs) : undefined;
    const cardinality = oneof
      ? 'single'
      : random.pick(['single', 'single', 'optional', 'repeated', 'map'] as const);
    message.fields.push({
      name,
      jsonName,
      number,
      comment: random.pick(comments),
      deprecated: random.chance(0.1),
      cardinality,
      type: randomType(random, messages, enums),
      ...(cardinality === 'map' && { mapKey: random.pick(mapKeys) }),
      ...(oneof && { oneof: oneof.name }),
    } satisfies FieldModel);
    oneof?.fields.push(name);
  }
  message.oneofs.push(...oneofs.filter(({ fields }) => fields.length > 0));
}

function randomType(
  random: Seeded,
  messages: readonly MessageModel[],
  enums: readonly EnumModel[],
): FieldType {
  const kind = random.below(8);
  if (kind === 0) return { kind: 'wellKnown', wellKnown: random.pick(wellKnown) };
  if (kind <= 2) return { kind: 'message', fullName: random.pick(messages).fullName };
  if (kind <= 4 && enums.length > 0) return { kind: 'enum', fullName: random.pick(enums).fullName };
  return { kind: 'scalar', scalar: random.pick(scalars) };
}

/** As protoc makes it: underscores go, and the letter behind one is capital. */
function jsonNameOf(name: string): string {
  return name.replace(/_+([a-z])?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
}

function byFullName(a: { fullName: string }, b: { fullName: string }): number {
  return a.fullName < b.fullName ? -1 : a.fullName > b.fullName ? 1 : 0;
}
