import { type FirstSeen, firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../../model/sdk-model.ts';
import { type IntendedNames, longestExample, planMembers } from '../../names/plan-members.ts';
import { createPartPlanner, type PartNames } from '../../names/plan-parts.ts';
import { planned } from '../../names/planned.ts';
import type { ScopeRules, SymbolRequest } from '../../names/plan-scope.ts';
import type { EnumModel, MessageModel } from '../../../specs/messages/message-model.ts';
import type { SessionNames } from '../../names/plan-methods.ts';
import { planScope } from '../../names/plan-scope.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { kebabCase, pascalCase, screamingCase } from '../../names/words.ts';
import { packageNames, type PackageNames } from './package-names.ts';
import {
  enumMembers,
  misleadingEnd,
  refusedFieldsOfAnyCase,
  refusedTypesOfAnyCase,
  refusedValuesOfAnyCase,
  reservedForCalls,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
  reservedForValues,
} from './reserved-names.ts';

/** Every final name of a C# SDK. */
export interface CsharpNames {
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Properties of enum values, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** Properties of fields and oneofs, by the full name of the message, then by the name of the field or oneof. */
  fields: PartNames;
  /** Base of the method names of a member, by alias: `Tokenize` of `TokenizeAsync`, `StartTokenizeAsync`. */
  calls: ReadonlyMap<string, string>;
  /** Base of the name of the method by which a pipeline node accepts streamed input, by alias: `UploadParseLogs`. */
  uploads: ReadonlyMap<string, string>;
  /** The names of the other methods of a pipeline node, by alias; for names that end in `Async`, the base. */
  sessions: ReadonlyMap<string, SessionNames>;
  /** Folder in `examples/`, by alias. */
  examples: ReadonlyMap<string, string>;
}

/**
 * Plans the names of one SDK. Names are deterministic and unique in their scope, and avoid the names that C# and the runtime
 * need.
 */
export function planNames(model: SdkModel): CsharpNames {
  const firstSeen = firstSeenIn(model);
  const names = packageNames(model);
  const types = planScope(typeNameRequests(model.types, firstSeen, typeName), {
    reserved: new Set([...reservedForTypes, ...visibleParts(names), names.client]),
    caseInsensitive: true,
    ...withWord('Message'),
  });
  return {
    types,
    values: planValues(model.types.enums, firstSeen, types),
    fields: planFields(model.types.messages, firstSeen, types),
    ...planMethods(model.members, firstSeen),
    examples: planMembers(model.members, (alias) => ({ intended: folderName(alias) }), {
      rules: { reserved: reservedForExamples, caseInsensitive: true, escape: (name) => `${name}-example` },
      firstSeen,
    }),
  };
}

function folderName(alias: string): string {
  return kebabCase(alias).slice(0, longestExample).replace(/-$/, '');
}

/**
 * Returns the parts of the namespace that no type may be named after: a program that imports the package resolves its
 * root before any type with that name, and a program in a sibling namespace also resolves the other part. Types avoid
 * the other part only if it is not the name of the package, because existing packages have been published with such
 * types.
 */
function visibleParts({ id, namespace }: PackageNames): string[] {
  const [root = '', own = ''] = namespace.split('.');
  return namespace === id ? [root] : [root, own];
}

function typeName(name: string, type: MessageModel | EnumModel): string {
  const isRefused = !reservedForTypes.has(name) && refusedTypesOfAnyCase.has(name.toLowerCase());
  const isOfCases = name.endsWith('Names') && endOfCase.test(name.slice(0, -'Names'.length));
  const isTaken =
    isRefused || isOfCases || misleadingEnd.test(name) || ('values' in type && enumMembers.has(name));
  return isTaken ? `${name}Message` : name;
}

/** Plans the base names of all methods, which share one scope: a member has one, and a pipeline node has four more. */
function planMethods(
  members: readonly SdkMember[],
  firstSeen: FirstSeen,
): Pick<CsharpNames, 'calls' | 'uploads' | 'sessions'> {
  const nodes = members.filter(({ type, mode }) => type === 'node' && mode === 'pipeline');
  const request = (kind: string, alias: string, name: string): SymbolRequest => ({
    ...numbered(name, 'Call'),
    id: `${kind} ${alias}`,
    since: firstSeen.member(alias),
  });
  const names = planScope(
    [
      ...members.map(({ alias }) => request('call', alias, pascalCase(alias))),
      ...nodes.flatMap(({ alias }) => [
        request('create', alias, `Create${pascalCase(alias)}Stream`),
        request('find', alias, `${pascalCase(alias)}Stream`),
        request('open', alias, `Open${pascalCase(alias)}`),
        request('upload', alias, `Upload${pascalCase(alias)}`),
      ]),
    ],
    { reserved: reservedForCalls, caseInsensitive: true, derived: methodsOf, ...withWord('Call') },
  );
  return {
    calls: new Map(members.map(({ alias }) => [alias, planned(names, `call ${alias}`)])),
    uploads: new Map(nodes.map(({ alias }) => [alias, planned(names, `upload ${alias}`)])),
    sessions: new Map(
      nodes.map(({ alias }) => [
        alias,
        {
          create: planned(names, `create ${alias}`),
          find: planned(names, `find ${alias}`),
          open: planned(names, `open ${alias}`),
        },
      ]),
    ),
  };
}

/**
 * Returns the names of the further methods of a flow: to start it without waiting, to warm it, and to find its runs by
 * id.
 */
function methodsOf(name: string): string[] {
  return [`Start${name}`, `Warm${name}`, `${name}Execution`];
}

/** Endings of properties that name the set field of a oneof. */
const endOfCase = /Case(?:Oneof|Field)?\d*$/;

/**
 * Returns the name of the class with the values of a property that names the set field of a oneof. Enums have such a
 * class too.
 */
function namesOfCases(name: string): string[] {
  return endOfCase.test(name) ? [`${name}Names`] : [];
}

const planFields = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) => [
    ...fields.map(({ name }) => ({
      ...numbered(pascalCase(name), 'Field', refusedFieldsOfAnyCase),
      id: name,
    })),
    ...oneofs.map(({ name }) => ({ ...numbered(`${pascalCase(name)}Case`, 'Oneof'), id: name })),
  ],
  rulesOf: (type) => ({ ...memberRules(reservedForFields, type, 'Field'), derived: namesOfCases }),
});

const planValues = createPartPlanner<EnumModel>({
  requestsOf: ({ name: enumName, values }) => {
    const own = [enumName, enumName.split('.').at(-1) ?? enumName].map((name) => `${screamingCase(name)}_`);
    return values.map(({ name }) => {
      const prefix = own.find((each) => name.startsWith(each) && name.length > each.length) ?? '';
      return {
        ...numbered(pascalCase(name.slice(prefix.length)), 'Value', refusedValuesOfAnyCase),
        id: name,
      };
    });
  },
  rulesOf: (type) => memberRules(reservedForValues, type, 'Value'),
});

/**
 * Returns the rules for the members of a type. A member's name differs from its type's name and, in more than case,
 * from other members' names, because some .NET languages ignore case.
 */
function memberRules(reserved: ReadonlySet<string>, type: string, word: string): ScopeRules {
  return {
    reserved: new Set([...reserved, type]),
    caseInsensitive: true,
    ...withWord(word),
  };
}

/**
 * C# names have no underscores, so a suffix distinguishes a name from a reserved one, and separates its last digit from
 * a number.
 */
function withWord(word: string): Pick<ScopeRules, 'escape' | 'beforeNumber'> {
  const add = (name: string): string => `${name}${word}`;
  return { escape: add, beforeNumber: add };
}

/**
 * Returns the intended names of a member. A name that ends in a digit gets a suffix before it is numbered, and so does
 * a name with one of two endings that CA1711 refuses, and a name that is refused in any case.
 *
 * @param refused names in lower case
 */
function numbered(name: string, word: string, refused: ReadonlySet<string> = new Set()): IntendedNames {
  const isRefused = /(?:Ex|Impl)$/.test(name) || refused.has(name.toLowerCase());
  const intended = isRefused ? `${name}${word}` : name;
  return /\d$/.test(intended) ? { intended, alternatives: () => [`${intended}${word}`] } : { intended };
}
