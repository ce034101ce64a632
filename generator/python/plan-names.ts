import type { FirstSeen } from '../changes/first-seen.ts';
import { firstSeenIn } from '../changes/first-seen.ts';
import type { SdkModel } from '../model/sdk-model.ts';
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
  /** File in `examples/` without its ending, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** Plans the names of one SDK: deterministic, no two alike in a scope, none that Python or the runtime needs. */
export function planNames(model: SdkModel): PythonNames {
  const { handle, slug } = model.client;
  const module = `${handle}_${slug}`.replaceAll('-', '_');
  const firstSeen = firstSeenIn(model);
  const calls = planScope(
    model.members.map(({ alias }) => ({
      id: alias,
      intended: snakeCase(alias),
      since: firstSeen.member(alias),
    })),
    { reserved: reservedForCalls },
  );
  return {
    distribution: `${handle}-${slug}`,
    module: /^\d/.test(module) ? `svc_${module}` : module,
    types: planScope(
      typeNameRequests(model.types).map((symbol) => ({ ...symbol, since: firstSeen.type(symbol.id) })),
      { reserved: reservedForTypes },
    ),
    fields: planParts(
      model.types.messages.map(({ fullName, fields, oneofs }) => [fullName, [...fields, ...oneofs]]),
      snakeCase,
      { reserved: reservedForFields, firstSeen },
    ),
    values: planParts(
      model.types.enums.map(({ fullName, values }) => [fullName, values]),
      screamingCase,
      { reserved: reservedForEnumMembers, firstSeen },
    ),
    calls,
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

/** Names within each of several types, each type a scope of its own. */
function planParts(
  types: [fullName: string, parts: { name: string }[]][],
  intended: (name: string) => string,
  { reserved, firstSeen }: { reserved: ReadonlySet<string>; firstSeen: FirstSeen },
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    types.map(([fullName, parts]) => {
      const symbols = parts.map(({ name }) => ({
        id: name,
        intended: intended(name),
        since: firstSeen.part(fullName, name),
      }));
      return [fullName, planScope(symbols, { reserved })];
    }),
  );
}
