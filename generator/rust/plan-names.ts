import type { EnumModel, FieldModel, MessageModel, OneofModel } from '../../specs/messages/message-model.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import { firstSeenIn } from '../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { planScope, type ScopeRules, type SymbolRequest } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { pascalCase, screamingCase, snakeCase, splitWords } from '../names/words.ts';
import { createMemory } from '../remember.ts';
import {
  bareName,
  escapeName,
  reservedForCalls,
  reservedForCases,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
  reservedForVariants,
} from './reserved-names.ts';

/** Every final name of a Rust SDK (SDK.md, Names). */
export interface RustNames {
  /** Name on a registry: `acme-words`. */
  package: string;
  /** Name to import: `acme_words`. */
  crate: string;
  /** Struct or enum in `messages.rs`, by the full name of a message or enum; those of oneofs share their scope. */
  types: ReadonlyMap<string, string>;
  /** Enum in `messages.rs`, by the full name of a message and the name of its oneof. */
  oneofs: ReadonlyMap<string, string>;
  /** Field, by the full name of its message, then by the name of the field or oneof. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Variant, by the full name of the message, then by the name of a field of a oneof. */
  cases: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Variant or constant, by the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Method of the client, by alias. */
  calls: ReadonlyMap<string, string>;
  /** Further methods of a flow, by alias. */
  flows: ReadonlyMap<string, FlowNames>;
  /** File in `examples/` without its ending, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** A flow can be started without waiting, its runs are found again by their ids, and it can be warmed. */
export interface FlowNames {
  start: string;
  execution: string;
  warm: string;
}

/**
 * Most characters of a name: what is longer is cut behind a word. So every line of generated code can be broken as rustfmt
 * does.
 */
const longestType = 56;
const longestName = 60;

/** Key of a oneof in `RustNames.oneofs`. */
export function oneofKey(message: string, oneof: string): string {
  return `${message} ${oneof}`;
}

/** Constant of `members.rs` for a method. */
export function constantName(call: string): string {
  return bareName(call).toUpperCase();
}

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that Rust or the runtime needs. */
export function planNames(model: SdkModel): RustNames {
  const { handle, slug } = model.client;
  const name = `${handle}-${slug}`;
  const packageName = /^\d/.test(name) ? `svc-${name}` : name;
  const crate = packageName.replaceAll('-', '_');
  const firstSeen = firstSeenIn(model);
  const typeNames = planTypes(model, firstSeen);
  const methods = planScope(
    model.members.flatMap((member) =>
      methodRequests(member).map((request) => ({ ...request, since: firstSeen.member(member.alias) })),
    ),
    { reserved: reservedForCalls, escape: escapeName },
  );
  const nameOf = (id: string): string => methods.get(id) ?? 'call';
  const calls = new Map(model.members.map(({ alias }) => [alias, nameOf(`call ${alias}`)]));
  const flows = model.members.filter(({ type }) => type === 'flow');
  return {
    package: packageName,
    crate,
    ...typeNames,
    fields: planFields(model, firstSeen),
    cases: planParts(model.types.messages, casesOf, firstSeen, casePlans, { reserved: reservedForCases }),
    values: planParts(model.types.enums, valuesOf, firstSeen, valuePlans, { reserved: reservedForVariants }),
    calls,
    flows: new Map(
      flows.map(({ alias }) => [
        alias,
        {
          start: nameOf(`start ${alias}`),
          execution: nameOf(`execution ${alias}`),
          warm: nameOf(`warm ${alias}`),
        },
      ]),
    ),
    examples: planScope(
      model.members.map(({ alias }) => ({
        id: alias,
        intended: bareName(calls.get(alias) ?? 'call'),
        since: firstSeen.member(alias),
      })),
      { reserved: new Set([...reservedForExamples, crate]) },
    ),
  };
}

function methodRequests({ type, alias }: SdkMember): SymbolRequest[] {
  const name = cut(snakeCase(alias), longestName - '_execution'.length, '_');
  const call = { id: `call ${alias}`, intended: name };
  if (type === 'node') return [call];
  return [
    call,
    { id: `start ${alias}`, intended: `start_${name}` },
    { id: `execution ${alias}`, intended: `${name}_execution` },
    { id: `warm ${alias}`, intended: `warm_${name}` },
  ];
}

/** Messages, enums and the enums of oneofs share one module. */
function planTypes(model: SdkModel, firstSeen: FirstSeen): Pick<RustNames, 'types' | 'oneofs'> {
  const oneofs = model.types.messages.flatMap(({ fullName, name, oneofs: own }) =>
    own.map((oneof): SymbolRequest & { key: string } => ({
      key: oneofKey(fullName, oneof.name),
      id: `oneof ${oneofKey(fullName, oneof.name)}`,
      intended: cutType([...splitWords(name), ...splitWords(oneof.name)]),
      alternatives: [cutType([...splitWords(fullName), ...splitWords(oneof.name)])],
      since: firstSeen.part(fullName, oneof.name),
    })),
  );
  const types = typeNameRequests(model.types).map((request) => ({
    id: request.id,
    intended: cut(request.intended, longestType),
    alternatives: (request.alternatives ?? []).map((name) => cut(name, longestType)),
    since: firstSeen.type(request.id),
  }));
  const named = planScope([...types, ...oneofs], { reserved: reservedForTypes });
  return { types: named, oneofs: new Map(oneofs.map(({ key, id }) => [key, named.get(id) ?? ''])) };
}

function planFields(model: SdkModel, firstSeen: FirstSeen): RustNames['fields'] {
  const rules = { reserved: reservedForFields, escape: escapeName };
  return planParts(model.types.messages, fieldsOf, firstSeen, fieldPlans, rules);
}

/** A name within a type, and the names to try. */
interface Part {
  name: string;
  intended: string;
  alternatives?: string[];
}

function fieldsOf({ fields, oneofs }: MessageModel): Part[] {
  return [...fields, ...oneofs].map(({ name }: FieldModel | OneofModel) => ({
    name,
    intended: cut(snakeCase(name), longestName, '_'),
  }));
}

function casesOf({ fields }: MessageModel): Part[] {
  return fields
    .filter(({ oneof }) => oneof !== undefined)
    .map(({ name }) => ({ name, intended: cut(pascalCase(name), longestName) }));
}

/** Values without the name of their enum before them. One that repeats a number becomes a constant. */
function valuesOf({ name, values }: EnumModel): Part[] {
  const prefix = `${screamingCase(name.replace(/^.*\./, ''))}_`;
  const numbers = new Set<number>();
  return values.map(({ name: value, number }) => {
    const bare = screamingCase(value);
    const short = bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
    const style = numbers.size === numbers.add(number).size ? screamingCase : variantCase;
    return {
      name: value,
      intended: cut(style(short), longestName, style === screamingCase ? '_' : ''),
      alternatives: [cut(style(value), longestName, style === screamingCase ? '_' : '')],
    };
  });
}

function variantCase(text: string): string {
  return pascalCase(text.toLowerCase());
}

/** Names within each of several types, each type a scope of its own. */
function planParts<Type extends MessageModel | EnumModel>(
  types: readonly Type[],
  partsOf: (type: Type) => Part[],
  firstSeen: FirstSeen,
  plans: {
    recall(type: Type, words: string, make: () => ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  },
  rules: ScopeRules,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    types.map((type) => {
      const names = 'fields' in type ? [...type.fields, ...type.oneofs] : type.values;
      const ages = names.map(({ name }) => firstSeen.part(type.fullName, name));
      const plan = plans.recall(type, ages.join(' '), () =>
        planScope(
          partsOf(type).map(({ name, ...request }) => ({
            id: name,
            ...request,
            since: firstSeen.part(type.fullName, name),
          })),
          rules,
        ),
      );
      return [type.fullName, plan];
    }),
  );
}

/** Names of parts depend on nothing but their type and their ages. */
const fieldPlans = createMemory<MessageModel, ReadonlyMap<string, string>>();
const casePlans = createMemory<MessageModel, ReadonlyMap<string, string>>();
const valuePlans = createMemory<EnumModel, ReadonlyMap<string, string>>();

function cutType(words: readonly string[]): string {
  return cut(pascalCase(words), longestType);
}

/** A name of at most `longest` characters, cut before a word where that leaves more than half of it. */
function cut(name: string, longest: number, separator = ''): string {
  if (name.length <= longest) return name;
  const head = name.slice(0, longest + 1);
  const end = separator === '' ? head.search(/[A-Z][^A-Z]*$/) : head.lastIndexOf(separator);
  return name.slice(0, end > longest / 2 ? end : longest);
}
