import { firstSeenIn } from '../changes/first-seen.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import type { ScopeRules, SymbolRequest } from '../names/plan-scope.ts';
import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import { planScope } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { kebabCase, pascalCase, screamingCase } from '../names/words.ts';
import { createMemory } from '../remember.ts';
import {
  misleadingEnd,
  reservedForCalls,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
  reservedForValues,
} from './reserved-names.ts';

/** Every final name of a C# SDK (SDK.md, Names). */
export interface CsharpNames {
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Properties of enum values, by the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Properties of fields and oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What the methods of a member are called after, by alias: `Tokenize` of `TokenizeAsync`, `StartTokenizeAsync`. */
  calls: ReadonlyMap<string, string>;
  /** Folder in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that C# or the runtime needs. */
export function planNames(model: SdkModel): CsharpNames {
  const firstSeen = firstSeenIn(model);
  const { messages, enums } = model.types;
  const types = planScope(
    typeNameRequests(model.types).map((request) => typeRequest(request, firstSeen)),
    { reserved: reservedForTypes, caseInsensitive: true, escape: (name) => `${name}Message` },
  );
  const members = model.members.map(({ alias }) => ({ alias, since: firstSeen.member(alias) }));
  return {
    types,
    values: new Map(
      enums.map((each) => [each.fullName, planValues(each, types.get(each.fullName) ?? '', firstSeen)]),
    ),
    fields: new Map(
      messages.map((each) => [each.fullName, planFields(each, types.get(each.fullName) ?? '', firstSeen)]),
    ),
    calls: planScope(
      members.map(({ alias, since }) => ({ ...numbered(pascalCase(alias), 'Call'), id: alias, since })),
      {
        reserved: reservedForCalls,
        caseInsensitive: true,
        derived: methodsOf,
        escape: (name) => `${name}Call`,
      },
    ),
    examples: planScope(
      members.map(({ alias, since }) => ({ id: alias, intended: kebabCase(alias), since })),
      { reserved: reservedForExamples, caseInsensitive: true, escape: (name) => `${name}-example` },
    ),
  };
}

function typeRequest(
  { id, intended, alternatives = [] }: SymbolRequest,
  firstSeen: FirstSeen,
): SymbolRequest {
  const told = (name: string): string => (misleadingEnd.test(name) ? `${name}Message` : name);
  return { id, intended: told(intended), alternatives: alternatives.map(told), since: firstSeen.type(id) };
}

/** A flow can be started without waiting, its runs are found again by their ids, and it can be warmed. */
function methodsOf(name: string): string[] {
  return [`Start${name}`, `Warm${name}`, `${name}Execution`];
}

function planFields(message: MessageModel, type: string, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const parts = [
    ...message.fields.map(({ name }) => ({ ...numbered(pascalCase(name), 'Field'), id: name })),
    ...message.oneofs.map(({ name }) => ({ ...numbered(`${pascalCase(name)}Case`, 'Oneof'), id: name })),
  ];
  return plan(message, type, parts, rulesOf(reservedForFields, type, 'Field'), firstSeen);
}

function planValues(each: EnumModel, type: string, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const { name: enumName, values } = each;
  const own = `${screamingCase(enumName.split('.').at(-1) ?? enumName)}_`;
  const parts = values.map(({ name }) => {
    const told = name.startsWith(own) && name.length > own.length ? name.slice(own.length) : name;
    return { ...numbered(pascalCase(told), 'Value'), id: name };
  });
  return plan(each, type, parts, rulesOf(reservedForValues, type, 'Value'), firstSeen);
}

/** No member is called like its type, and none like another but for the case: languages of .NET may not tell them apart. */
function rulesOf(reserved: ReadonlySet<string>, type: string, word: string): ScopeRules {
  return {
    reserved: new Set([...reserved, type]),
    caseInsensitive: true,
    escape: (name: string) => `${name}${word}`,
  };
}

/** Names of parts depend on nothing but their type, its name, and their ages. */
function plan(
  owner: MessageModel | EnumModel,
  type: string,
  parts: readonly SymbolRequest[],
  rules: ScopeRules,
  firstSeen: FirstSeen,
): ReadonlyMap<string, string> {
  const ages = parts.map(({ id }) => firstSeen.part(owner.fullName, id));
  return partPlans.recall(owner, `${type} ${ages.join(' ')}`, () =>
    planScope(
      parts.map((part, index) => ({ ...part, since: ages[index] ?? 1 })),
      rules,
    ),
  );
}

const partPlans = createMemory<MessageModel | EnumModel, ReadonlyMap<string, string>>();

/** C# has no underscores in names, so one that ends in a digit gets a word before it is numbered. */
function numbered(name: string, word: string): Pick<SymbolRequest, 'intended' | 'alternatives'> {
  const intended = name.endsWith('Impl') ? `${name}${word}` : name;
  return /\d$/.test(intended) ? { intended, alternatives: [`${intended}${word}`] } : { intended };
}
