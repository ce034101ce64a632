import { firstSeenIn } from '../../changes/first-seen.ts';
import type { FirstSeen } from '../../changes/first-seen.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { EnumModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { planMembers } from '../../names/plan-members.ts';
import { type MethodNames, planMethods } from '../../names/plan-methods.ts';
import { createPartPlanner, type PartNames } from '../../names/plan-parts.ts';
import { planScope } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { camelCase, pascalCase, screamingCase } from '../../names/words.ts';
import type { PackageNames } from './package-names.ts';
import {
  reservedForConstants,
  reservedForFields,
  reservedForMethods,
  reservedForTypes,
} from './reserved-names.ts';

/** Every final name of a Java SDK. */
export interface JavaNames extends MethodNames {
  /** Class of a message or enum, or of a oneof, by full name. */
  types: ReadonlyMap<string, string>;
  /** Constant of an enum value, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** Cases of oneofs, by the full name of the message and the name of the oneof, then by the name of the field. */
  cases: PartNames;
  /** Fields and oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: PartNames;
  /** Class in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/** Longest name of a class member: lines with longer names cannot be broken. */
const longestMember = 60;

/** Longest names of a oneof's class and of its cases, so that `new Class.Case(` fits on a line. */
const longestOneof = 42;
const longestCase = 38;

/**
 * Plans the names of one SDK. Names are deterministic and unique in their scope, and avoid the names that Java and the runtime
 * need.
 */
export function planNames(model: SdkModel, { clientClass, longestClass }: PackageNames): JavaNames {
  const firstSeen = firstSeenIn(model);
  const types = planTypes(model, { clientClass, longestClass, firstSeen });
  return {
    types,
    values: planValues(model.types.enums, firstSeen),
    cases: planCases(model.types.messages, { types, firstSeen }),
    fields: planFields(model.types.messages, firstSeen),
    ...planMethods(model.members, methodsOf, {
      rules: {
        reserved: reservedForMethods,
        derived: (name) => [`${name}Async`],
        escape: (name) => `${name}Call`,
      },
      firstSeen,
    }),
    examples: planMembers(
      model.members,
      (alias) => ({ intended: `${pascalCase(alias).slice(0, longestClass)}Example` }),
      {
        rules: {
          reserved: new Set([...reservedForTypes, ...types.values(), clientClass]),
          caseInsensitive: true,
        },
        firstSeen,
      },
    ),
  };
}

function methodsOf(alias: string) {
  const name = camelCase(alias).slice(0, longestMember);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    call: name,
    start: `start${title}`,
    execution: `${name}Execution`,
    warm: `warm${title}`,
    upload: `upload${title}`,
    create: `create${title}Stream`,
    find: `${name}Stream`,
    open: `open${title}`,
  };
}

/**
 * Plans the classes. Each is a file, so names that differ only in case collide. The client gets its name before all
 * others.
 */
function planTypes(
  model: SdkModel,
  {
    clientClass,
    longestClass,
    firstSeen,
  }: Pick<PackageNames, 'clientClass' | 'longestClass'> & { firstSeen: FirstSeen },
): ReadonlyMap<string, string> {
  const write = (name: string): string => name.slice(0, longestClass);
  const oneofs = model.types.messages.flatMap((message) =>
    message.oneofs.map(({ name }) => ({
      id: oneofId(message, name),
      intended: write(pascalCase(`${message.name}.${name}`)).slice(0, longestOneof),
      since: firstSeen.part(message.fullName, name),
    })),
  );
  const requests = [...typeNameRequests(model.types, firstSeen, write), ...oneofs];
  const names = planScope([{ id: '', intended: clientClass, since: 0 }, ...requests], {
    reserved: reservedForTypes,
    caseInsensitive: true,
    escape: (name) => `${name}Message`,
  });
  return new Map(requests.map(({ id }) => [id, planned(names, id)]));
}

/** Returns the full name of a oneof; no message or enum of the same package has it. */
export function oneofId(message: MessageModel, oneof: string): string {
  return `${message.fullName}.${oneof}`;
}

/**
 * Plans the cases of oneofs. A case is a class within its oneof's class, so it must not have that class's name or hide
 * its value's type.
 */
function planCases(
  messages: readonly MessageModel[],
  { types, firstSeen }: { types: ReadonlyMap<string, string>; firstSeen: FirstSeen },
): PartNames {
  const scopes = messages.flatMap((message) =>
    message.oneofs.map(({ name: oneof }): [string, ReadonlyMap<string, string>] => {
      const id = oneofId(message, oneof);
      const requests = message.fields
        .filter((field) => field.oneof === oneof)
        .map(({ name }) => ({
          id: name,
          intended: pascalCase(name).slice(0, longestCase),
          since: firstSeen.part(message.fullName, name),
        }));
      const reserved = new Set([...reservedForTypes, planned(types, id)]);
      return [id, planScope(requests, { reserved, caseInsensitive: true, escape: (name) => `${name}Case` })];
    }),
  );
  return new Map(scopes);
}

const planFields = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) => [
    ...fields.map(({ name }) => ({ id: name, intended: member(camelCase(name)) })),
    ...oneofs.map(({ name }) => ({ id: name, intended: member(camelCase(name)) })),
  ],
  rulesOf: () => ({ reserved: reservedForFields }),
});

/** `STATE_OPEN` of `State` is `OPEN`. */
const planValues = createPartPlanner<EnumModel>({
  requestsOf: ({ name: enumName, values }) => {
    const own = `${screamingCase(enumName.split('.').at(-1) ?? enumName)}_`;
    return values.map(({ name }) => {
      const constant = screamingCase(name);
      const isOwn = constant.startsWith(own) && /^[A-Z]/.test(constant.slice(own.length));
      return { id: name, intended: member(isOwn ? constant.slice(own.length) : constant) };
    });
  },
  rulesOf: () => ({ reserved: reservedForConstants }),
});

function member(name: string): string {
  return name.slice(0, longestMember);
}
