import { createSampler } from '../../generator/model/sample-message.ts';
import type { SdkMember, SdkModel } from '../../generator/model/sdk-model.ts';
import { limits } from '../../specs/limits.ts';
import type {
  EnumModel,
  EnumValueModel,
  MessageModel,
  TypeModel,
} from '../../specs/messages/message-model.ts';
import type { HostileWords } from './hostile-words.ts';
import { evolutionTo } from './evolution.ts';
import { type RandomNames, randomNames } from './random-names.ts';
import { addFields, wellKnown } from './random-fields.ts';
import { type RandomTexts, randomTexts } from './random-texts.ts';
import { type Seeded, seeded } from './seeded.ts';

/** Messages of `google.protobuf` that can be the input or output of a member. */
const wellKnownRoots = wellKnown
  .filter((name) => name !== 'NullValue')
  .map((name) => `google.protobuf.${name}`);

/** Valid names of packages and their nodes. */
const pins = [
  { package: 'acme/text', version: '1.0.0', node: 'Node' },
  { package: 'a/b', version: '0.0.1-alpha.1+build.5', node: 'a-b_c' },
  { package: 'x-1/text_v2.min', version: '10.20.30', node: `N${'-'.repeat(63)}` },
];

/**
 * Returns a client version that a tenant could create, with hostile names. Names follow the rules of protobuf: each is unique in its
 * scope, and messages, enums, values, fields and oneofs share the scope of their parent. The same seed gives the same model.
 */
function randomModel(seed: number, words: HostileWords): SdkModel {
  const random = seeded(seed);
  const names = randomNames(random, words);
  const texts = randomTexts(random);
  const types = randomTypes({ random, names, texts });
  const taken = new Set<string>();
  const members = Array.from({ length: 2 + random.below(random.chance(0.03) ? 40 : 5) }, (_, index) => {
    const alias = names.alias((name) => !taken.has(name));
    taken.add(alias);
    return randomMember({
      random,
      types,
      words,
      texts,
      alias,
      ulid: `01K${String(index).padStart(23, '0')}`,
    });
  });
  const client = {
    // The service trims names and rejects empty ones.
    name: (random.chance(0.3) && random.pick(words.texts).trim()) || 'Shop',
    slug: names.slug(),
    description: texts.description(),
    handle: names.slug(),
  };
  const version = 1 + random.below(3);
  const model: SdkModel = {
    client,
    version,
    semver: `${version}.0.0`,
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: members.sort((a, b) => (a.alias < b.alias ? -1 : 1)),
    types,
    changelog: Array.from({ length: version }, (_, index) => ({
      ...{ version: version - index, semver: `${version - index}.0.0` },
      added: members.map(({ alias }) => `Call ${alias}.`),
      changed: members.slice(1).map(({ alias }) => `Call ${alias}: its input is another.`),
      removed: members.slice(2).map(({ alias }) => `Call ${alias}.`),
    })),
    firstSeen: [],
    order: [],
  };
  if (version < 3 || random.chance(0.5)) return model;
  return { ...model, firstSeen: evolutionTo(model, seed).at(-1)?.firstSeen ?? [] };
}

/** Returns models from consecutive seeds. Their packages have different names. */
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
  words: HostileWords;
  texts: RandomTexts;
  alias: string;
  ulid: string;
}

function randomMember({ random, types, words, texts, alias, ulid }: MemberChoice): SdkMember {
  const root = (): string =>
    random.chance(0.1) ? random.pick(wellKnownRoots) : random.pick(types.messages).fullName;
  const input = root();
  const rest = {
    alias,
    mode: random.chance(0.7) ? ('unary' as const) : ('pipeline' as const),
    comment: texts.description(),
    input,
    output: root(),
    sample: createSampler(types).sample(input),
  };
  if (random.chance(0.5))
    return { type: 'flow', pin: { artifact: 'g1', graph: random.pick(['g1', ...words.texts]) }, ...rest };
  return { type: 'node', pin: { ...random.pick(pins), ulid }, ...rest };
}

interface TypesChoice {
  random: Seeded;
  names: RandomNames;
  texts: RandomTexts;
}

function randomTypes({ random, names, texts }: TypesChoice): TypeModel {
  /** Full names of all kinds of symbols. */
  const symbols = new Set<string>();
  const claim = (scope: string, name: string): boolean => {
    const fullName = within(scope, name);
    return !symbols.has(fullName) && symbols.add(fullName).size > 0;
  };
  const symbol = (scope: string): string => names.identifier((each) => claim(scope, each));
  const packages = randomPackages(random, names);
  for (const each of packages)
    each.split('.').forEach((_, index, parts) => symbols.add(parts.slice(0, index + 1).join('.')));
  const messages: MessageModel[] = [];
  const enums: EnumModel[] = [];
  for (let count = 2 + random.below(random.chance(0.05) ? 30 : 5); count > 0; count -= 1) {
    const { scope, parents } = randomScope(random, packages, messages);
    const name = symbol(scope);
    messages.push({
      fullName: within(scope, name),
      name: `${parents}${name}`,
      comment: texts.comment(),
      deprecated: random.chance(0.1),
      fields: [],
      oneofs: [],
    });
  }
  for (let count = random.below(4); count > 0; count -= 1) {
    const { scope, parents } = randomScope(random, packages, messages);
    const name = symbol(scope);
    enums.push({
      fullName: within(scope, name),
      name: `${parents}${name}`,
      comment: texts.comment(),
      deprecated: random.chance(0.1),
      values: randomValues({
        random,
        texts,
        name,
        symbol: () => symbol(scope),
        claim: (each) => claim(scope, each),
      }),
    });
  }
  for (const message of messages) addFields({ random, texts, message, symbol, claim, messages, enums });
  return { messages: messages.sort(byFullName), enums: enums.sort(byFullName) };
}

/** Returns one or several packages: with or without a version, nested, or without a name. */
function randomPackages(random: Seeded, names: RandomNames): string[] {
  const packages: string[] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const parts = [
      names.identifier(() => true).toLowerCase(),
      random.chance(0.5) ? random.pick(['v1', 'v2beta1']) : names.identifier(() => true),
    ];
    const inside = packages.length > 0 && random.chance(0.2) ? [random.pick(packages)] : [];
    packages.push([...inside, ...parts.slice(random.chance(0.1) ? 1 : 0)].join('.'));
  }
  if (random.chance(0.1)) packages.push('');
  return packages;
}

interface ValuesChoice {
  random: Seeded;
  texts: RandomTexts;
  /** Full name of the enum. */
  name: string;
  symbol: () => string;
  claim: (name: string) => boolean;
}

/** Returns values of an enum. About half begin with the name of the enum, as the protobuf style guide asks. */
function randomValues({ random, texts, name, symbol, claim }: ValuesChoice): EnumValueModel[] {
  /** Number by name, in the form that protoc compares. Names that are equal in this form must have the same number. */
  const reported = new Map<string, number>();
  const values: EnumValueModel[] = [];
  for (let index = 0, count = 1 + random.below(random.chance(0.05) ? 60 : 6); index < count; index += 1) {
    const drawn = symbol();
    const prefixed = `${name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')}_${drawn}`
      .toUpperCase()
      .slice(0, limits.protoNameCharacters);
    const value = random.chance(0.5) && claim(prefixed) ? prefixed : drawn;
    const number =
      index === 0 || random.chance(0.1) ? 0 : random.pick([index, index, -index, 2 ** 31 - index]);
    const key = withoutEnumName(value, name);
    if ((reported.get(key) ?? number) !== number) continue;
    reported.set(key, number);
    values.push({ name: value, number, comment: texts.comment(), deprecated: random.chance(0.1) });
  }
  return values;
}

/** Returns the form in which protoc compares the values of an enum. */
function withoutEnumName(value: string, name: string): string {
  const bare = value.toLowerCase().replaceAll('_', '');
  const prefix = name.toLowerCase().replaceAll('_', '');
  return bare.startsWith(prefix) && bare.length > prefix.length ? bare.slice(prefix.length) : bare;
}

function within(scope: string, name: string): string {
  return scope === '' ? name : `${scope}.${name}`;
}

/** A package, or the message that contains a nested type. */
function randomScope(
  random: Seeded,
  packages: readonly string[],
  messages: readonly MessageModel[],
): { scope: string; parents: string } {
  if (messages.length === 0 || random.chance(0.7)) return { scope: random.pick(packages), parents: '' };
  const parent = random.pick(messages);
  return { scope: parent.fullName, parents: `${parent.name}.` };
}

function byFullName(a: { fullName: string }, b: { fullName: string }): number {
  return a.fullName < b.fullName ? -1 : a.fullName > b.fullName ? 1 : 0;
}
