import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { EnumModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { longestExample, planMembers } from '../../names/plan-members.ts';
import { type MethodNames, planMethods } from '../../names/plan-methods.ts';
import { createPartPlanner, type PartNames } from '../../names/plan-parts.ts';
import { planScope } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { screamingCase, snakeCase } from '../../names/words.ts';
import {
  reservedForCalls,
  reservedForEnumMembers,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
} from './reserved-names.ts';

/** Every final name of a Python SDK. */
export interface PythonNames extends MethodNames {
  /** Name on a package index: `acme-words`. */
  distribution: string;
  /** Name to import: `acme_words`. */
  module: string;
  /** Class in `messages.py`, by the full name of a message or enum. */
  types: ReadonlyMap<string, string>;
  /** Attribute, by the full name of its message, then by the name of the field or oneof. */
  fields: PartNames;
  /** Member of an enum class, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** File in `examples/` without its ending, by alias. */
  examples: ReadonlyMap<string, string>;
}

/**
 * Plans the names of one SDK. Names are deterministic and unique in their scope, and avoid the names that Python and the runtime
 * need.
 */
export function planNames(model: SdkModel): PythonNames {
  const { handle, slug } = model.client;
  const module = `${handle}_${slug}`.replaceAll('-', '_');
  const firstSeen = firstSeenIn(model);
  const { calls, flows, uploads, sessions } = planMethods(model.members, methodsOf, {
    rules: { reserved: reservedForCalls },
    firstSeen,
  });
  return {
    distribution: `${handle}-${slug}`,
    module: /^\d/.test(module) ? `svc_${module}` : module,
    types: planScope(typeNameRequests(model.types, firstSeen), {
      reserved: reservedForTypes,
      escape: asMessage,
      beforeNumber: asMessage,
    }),
    fields: planFields(model.types.messages, firstSeen),
    values: planValues(model.types.enums, firstSeen),
    calls,
    flows,
    uploads,
    sessions,
    examples: planMembers(
      model.members,
      (alias) => ({ intended: planned(calls, alias).slice(0, longestExample) }),
      {
        rules: { reserved: reservedForExamples },
        firstSeen,
      },
    ),
  };
}

/** Returns a class name: Python class names have no underscores. */
function asMessage(name: string): string {
  return `${name}Message`;
}

function methodsOf(alias: string) {
  const name = snakeCase(alias);
  return {
    call: name,
    start: `start_${name}`,
    execution: `${name}_execution`,
    warm: `warm_${name}`,
    upload: `upload_${name}`,
    create: `create_${name}_stream`,
    find: `${name}_stream`,
    open: `open_${name}`,
  };
}

const planFields = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) =>
    [...fields, ...oneofs].map(({ name }) => ({ id: name, intended: snakeCase(name) })),
  rulesOf: () => ({ reserved: reservedForFields }),
});

/** Values without the name of their enum as a prefix: `State.PAID` for `STATE_PAID`. */
const planValues = createPartPlanner<EnumModel>({
  requestsOf: ({ name: enumName, values }) => {
    const prefix = `${screamingCase(enumName.replace(/^.*\./, ''))}_`;
    return values.map(({ name }) => {
      const full = screamingCase(name);
      const short = full.startsWith(prefix) ? full.slice(prefix.length) : '';
      return { id: name, intended: /^[A-Z]/.test(short) ? short : full, alternatives: () => [full] };
    });
  },
  rulesOf: () => ({ reserved: reservedForEnumMembers }),
});
