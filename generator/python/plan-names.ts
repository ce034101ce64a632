import type { FirstSeen } from '../changes/first-seen.ts';
import { firstSeenIn } from '../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { SymbolRequest } from '../names/plan-scope.ts';
import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import { createMemory } from '../remember.ts';
import { planScope } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { screamingCase, snakeCase } from '../names/words.ts';
import {
  reservedForCalls,
  reservedForEnumMembers,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
} from './reserved-names.ts';

/** Every final name of a Python SDK (SDK.md, Names). */
export interface PythonNames {
  /** Name on a package index: `acme-words`. */
  distribution: string;
  /** Name to import: `acme_words`. */
  module: string;
  /** Class in `messages.py`, by the full name of a message or enum. */
  types: ReadonlyMap<string, string>;
  /** Attribute, by the full name of its message, then by the name of the field or oneof. */
  fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Member of an enum class, by the full name of the enum, then by the name of the value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Method of the clients, by alias. */
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

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that Python or the runtime needs. */
export function planNames(model: SdkModel): PythonNames {
  const { handle, slug } = model.client;
  const module = `${handle}_${slug}`.replaceAll('-', '_');
  const firstSeen = firstSeenIn(model);
  const methods = planScope(
    model.members.flatMap((member) =>
      methodRequests(member).map((request) => ({ ...request, since: firstSeen.member(member.alias) })),
    ),
    { reserved: reservedForCalls },
  );
  const nameOf = (id: string): string => methods.get(id) ?? 'call';
  const calls = new Map(model.members.map(({ alias }) => [alias, nameOf(`call ${alias}`)]));
  return {
    distribution: `${handle}-${slug}`,
    module: /^\d/.test(module) ? `svc_${module}` : module,
    types: planScope(
      typeNameRequests(model.types).map((symbol) => ({ ...symbol, since: firstSeen.type(symbol.id) })),
      { reserved: reservedForTypes },
    ),
    fields: planParts(model.types.messages, ({ fields, oneofs }) => [...fields, ...oneofs], snakeCase, {
      reserved: reservedForFields,
      firstSeen,
    }),
    values: planParts(model.types.enums, ({ values }) => values, screamingCase, {
      reserved: reservedForEnumMembers,
      firstSeen,
    }),
    calls,
    flows: new Map(
      model.members
        .filter(({ type }) => type === 'flow')
        .map(({ alias }) => [
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
        intended: calls.get(alias) ?? 'call',
        since: firstSeen.member(alias),
      })),
      { reserved: reservedForExamples },
    ),
  };
}

function methodRequests({ type, alias }: SdkMember): SymbolRequest[] {
  const name = snakeCase(alias);
  const call = { id: `call ${alias}`, intended: name };
  if (type === 'node') return [call];
  return [
    call,
    { id: `start ${alias}`, intended: `start_${name}` },
    { id: `execution ${alias}`, intended: `${name}_execution` },
    { id: `warm ${alias}`, intended: `warm_${name}` },
  ];
}

/** Names within each of several types, each type a scope of its own. */
function planParts<Type extends MessageModel | EnumModel>(
  types: readonly Type[],
  partsOf: (type: Type) => { name: string }[],
  intended: (name: string) => string,
  { reserved, firstSeen }: { reserved: ReadonlySet<string>; firstSeen: FirstSeen },
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    types.map((type) => {
      const parts = partsOf(type);
      const ages = parts.map(({ name }) => firstSeen.part(type.fullName, name));
      const plan = partPlans.recall(type, ages.join(' '), () =>
        planScope(
          parts.map(({ name }, index) => ({ id: name, intended: intended(name), since: ages[index] ?? 1 })),
          { reserved },
        ),
      );
      return [type.fullName, plan];
    }),
  );
}

/** Names of parts depend on nothing but their type and their ages. */
const partPlans = createMemory<MessageModel | EnumModel, ReadonlyMap<string, string>>();
