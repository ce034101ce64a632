import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { MessageModel } from '../../../specs/messages/message-model.ts';
import { planMembers } from '../../names/plan-members.ts';
import { type MethodNames, planMethods } from '../../names/plan-methods.ts';
import { createPartPlanner, type PartNames } from '../../names/plan-parts.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { kebabCase } from '../../names/words.ts';
import { exportedName } from './go-words.ts';
import { planPackage } from './plan-package.ts';
import { reservedForExamples, reservedForFields, reservedForMethods } from './reserved-names.ts';

/** Every final name of a Go SDK. */
export interface GoNames extends MethodNames {
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Constant of an enum value, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** Constant of a field of a oneof, by the full name of the message, then by the name of the field. */
  cases: PartNames;
  /** Fields, and methods of oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: PartNames;
  /** Folder in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** Characters of a folder's name; an alias may be far longer than file systems allow. */
const longestFolder = 80;

/**
 * Plans the names of one SDK. Names are deterministic and unique in their scope, and avoid the names that Go and the runtime
 * need.
 */
export function planNames(model: SdkModel): GoNames {
  const firstSeen = firstSeenIn(model);
  return {
    ...planPackage(typeNameRequests(model.types, firstSeen, exportedName), model.types, firstSeen),
    fields: planFields(model.types.messages, firstSeen),
    ...planMethods(model.members, methodsOf, {
      rules: { reserved: reservedForMethods, escape: (name) => `${name}Call` },
      firstSeen,
    }),
    examples: planMembers(model.members, (alias) => ({ intended: folderName(alias) }), {
      rules: { reserved: reservedForExamples, caseInsensitive: true, escape: (name) => `${name}-example` },
      firstSeen,
    }),
  };
}

function methodsOf(alias: string) {
  const name = exportedName(alias);
  return {
    call: name,
    start: `Start${name}`,
    execution: `${name}Execution`,
    warm: `Warm${name}`,
    upload: `Upload${name}`,
    create: `Create${name}Stream`,
    find: `${name}Stream`,
    open: `Open${name}`,
  };
}

function folderName(alias: string): string {
  return kebabCase(alias).slice(0, longestFolder).replace(/-+$/, '');
}

const planFields = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) => [
    ...fields.map(({ name }) => ({ id: name, intended: exportedName(name) })),
    ...oneofs.map(({ name }) => ({ id: name, intended: `Which${exportedName(name)}` })),
  ],
  rulesOf: () => ({ reserved: reservedForFields, numbersWithoutUnderscore: true }),
});
