import { firstSeenIn } from '../changes/first-seen.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { SymbolRequest } from '../names/plan-scope.ts';
import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import { planScope } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { camelCase, pascalCase, screamingCase } from '../names/words.ts';
import { createMemory } from '../remember.ts';
import type { PackageNames } from './package-names.ts';
import {
  reservedForConstants,
  reservedForFields,
  reservedForMethods,
  reservedForTypes,
} from './reserved-names.ts';

/** Every final name of a Java SDK (SDK.md, Names). */
export interface JavaNames {
  /** Class of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Constant of an enum value, by the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Components, and methods of oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Method of the client, by alias; its twin that does not block ends in `Async`. */
  calls: ReadonlyMap<string, string>;
  /** Further methods of a flow, by alias. */
  flows: ReadonlyMap<string, FlowNames>;
  /** Class in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** A flow can be started without waiting, its runs are found again by their ids, and it can be warmed. */
export interface FlowNames {
  start: string;
  execution: string;
  warm: string;
}

/** Longest name of a member of a class: longer ones leave lines no place to break. */
const longestMember = 60;

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that Java or the runtime needs. */
export function planNames(model: SdkModel, { clientClass, longestClass }: PackageNames): JavaNames {
  const firstSeen = firstSeenIn(model);
  const methods = planScope(
    model.members.flatMap((member) =>
      methodRequests(member).map((request) => ({ ...request, since: firstSeen.member(member.alias) })),
    ),
    { reserved: reservedForMethods, derived: (name) => [`${name}Async`], escape: (name) => `${name}Call` },
  );
  const nameOf = (id: string): string => methods.get(id) ?? '';
  const flows = model.members.filter(({ type }) => type === 'flow');
  const types = planTypes(model, clientClass, longestClass, firstSeen);
  return {
    types,
    values: new Map(model.types.enums.map((type) => [type.fullName, planValues(type, firstSeen)])),
    fields: new Map(model.types.messages.map((type) => [type.fullName, planFields(type, firstSeen)])),
    calls: new Map(model.members.map(({ alias }) => [alias, nameOf(`call ${alias}`)])),
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
        intended: `${pascalCase(alias).slice(0, longestClass)}Example`,
        since: firstSeen.member(alias),
      })),
      { reserved: new Set([...reservedForTypes, ...types.values(), clientClass]), caseInsensitive: true },
    ),
  };
}

function methodRequests({ type, alias }: SdkMember): SymbolRequest[] {
  const name = camelCase(alias).slice(0, longestMember);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const call = { id: `call ${alias}`, intended: name };
  if (type === 'node') return [call];
  return [
    call,
    { id: `start ${alias}`, intended: `start${title}` },
    { id: `execution ${alias}`, intended: `${name}Execution` },
    { id: `warm ${alias}`, intended: `warm${title}` },
  ];
}

/** A class is a file, so names that differ by case only are one. The client has its name before all others. */
function planTypes(
  model: SdkModel,
  clientClass: string,
  longestClass: number,
  firstSeen: FirstSeen,
): ReadonlyMap<string, string> {
  const cut = (name: string): string => name.slice(0, longestClass);
  const requests = typeNameRequests(model.types).map(({ id, intended, alternatives = [] }) => ({
    id,
    intended: cut(intended),
    alternatives: alternatives.map(cut),
    since: firstSeen.type(id),
  }));
  const planned = planScope([{ id: '', intended: clientClass, since: 0 }, ...requests], {
    reserved: reservedForTypes,
    caseInsensitive: true,
    escape: (name) => `${name}Message`,
  });
  return new Map(requests.map(({ id }) => [id, planned.get(id) ?? '']));
}

function planFields(message: MessageModel, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const parts = [
    ...message.fields.map(({ name }) => ({ id: name, intended: camelCase(name) })),
    ...message.oneofs.map(({ name }) => ({ id: name, intended: `which${pascalCase(name)}` })),
  ];
  return planParts(message, parts, firstSeen, reservedForFields);
}

/** `STATE_OPEN` of `State` is `OPEN`. */
function planValues(type: EnumModel, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const own = `${screamingCase(type.name.split('.').at(-1) ?? type.name)}_`;
  const parts = type.values.map(({ name }) => {
    const told = screamingCase(name);
    return {
      id: name,
      intended: told.startsWith(own) && /^[A-Z]/.test(told.slice(own.length)) ? told.slice(own.length) : told,
    };
  });
  return planParts(type, parts, firstSeen, reservedForConstants);
}

function planParts(
  type: MessageModel | EnumModel,
  parts: readonly SymbolRequest[],
  firstSeen: FirstSeen,
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const ages = parts.map(({ id }) => firstSeen.part(type.fullName, id));
  return partPlans.recall(type, ages.join(' '), () =>
    planScope(
      parts.map(({ id, intended }, index) => ({
        id,
        intended: intended.slice(0, longestMember),
        since: ages[index] ?? 1,
      })),
      { reserved },
    ),
  );
}

/** Names of parts depend on nothing but their type and their ages. */
const partPlans = createMemory<MessageModel | EnumModel, ReadonlyMap<string, string>>();
