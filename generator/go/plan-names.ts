import { firstSeenIn } from '../changes/first-seen.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { SymbolRequest } from '../names/plan-scope.ts';
import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import { planScope } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { kebabCase } from '../names/words.ts';
import { createMemory } from '../remember.ts';
import { exportedName } from './go-words.ts';
import { planPackage } from './plan-package.ts';
import { reservedForExamples, reservedForFields, reservedForMethods } from './reserved-names.ts';

/** Every final name of a Go SDK (SDK.md, Names). */
export interface GoNames {
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Constant of an enum value, by the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Fields, and methods of oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Method of the client, by alias. */
  calls: ReadonlyMap<string, string>;
  /** Further methods of a flow, by alias. */
  flows: ReadonlyMap<string, FlowNames>;
  /** Folder in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** Characters of a folder's name; an alias may be far longer than what a file system bears. */
const longestFolder = 80;

/** A flow can be started without waiting, its runs are found again by their ids, and it can be warmed. */
export interface FlowNames {
  start: string;
  execution: string;
  warm: string;
}

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that Go or the runtime needs. */
export function planNames(model: SdkModel): GoNames {
  const firstSeen = firstSeenIn(model);
  const methods = planScope(
    model.members.flatMap((member) =>
      methodRequests(member).map((request) => ({ ...request, since: firstSeen.member(member.alias) })),
    ),
    { reserved: reservedForMethods, escape: (name) => `${name}Call` },
  );
  const nameOf = (id: string): string => methods.get(id) ?? '';
  const flows = model.members.filter(({ type }) => type === 'flow');
  return {
    ...planPackage(typeNameRequests(model.types), model.types.enums, firstSeen),
    fields: new Map(
      model.types.messages.map((message) => [message.fullName, planFields(message, firstSeen)]),
    ),
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
        intended: kebabCase(alias).slice(0, longestFolder).replace(/-+$/, ''),
        since: firstSeen.member(alias),
      })),
      { reserved: reservedForExamples, caseInsensitive: true, escape: (name) => `${name}-example` },
    ),
  };
}

function methodRequests({ type, alias }: SdkMember): SymbolRequest[] {
  const name = exportedName(alias);
  const call = { id: `call ${alias}`, intended: name };
  if (type === 'node') return [call];
  return [
    call,
    { id: `start ${alias}`, intended: `Start${name}` },
    { id: `execution ${alias}`, intended: `${name}Execution` },
    { id: `warm ${alias}`, intended: `Warm${name}` },
  ];
}

function planFields(message: MessageModel, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const parts = [
    ...message.fields.map(({ name }) => ({ id: name, intended: exportedName(name) })),
    ...message.oneofs.map(({ name }) => ({ id: name, intended: `Which${exportedName(name)}` })),
  ];
  const ages = parts.map(({ id }) => firstSeen.part(message.fullName, id));
  return fieldPlans.recall(message, ages.join(' '), () =>
    planScope(
      parts.map((part, index) => ({ ...part, since: ages[index] ?? 1 })),
      { reserved: reservedForFields },
    ),
  );
}

/** Names of parts depend on nothing but their type and their ages. */
const fieldPlans = createMemory<MessageModel | EnumModel, ReadonlyMap<string, string>>();
