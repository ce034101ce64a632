import type { EnumModel, MessageModel } from '../../../specs/messages/message-model.ts';
import type { FirstSeen } from '../../changes/first-seen.ts';
import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { planMembers } from '../../names/plan-members.ts';
import { type MethodNames, planMethods } from '../../names/plan-methods.ts';
import { createPartPlanner, type PartNames } from '../../names/plan-parts.ts';
import { planScope, type SymbolRequest } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { pascalCase, screamingCase, snakeCase, splitWords } from '../../names/words.ts';
import {
  bareName,
  identifier,
  reservedForCalls,
  reservedForCases,
  reservedForExamples,
  reservedForFields,
  reservedForTypes,
  reservedForVariants,
} from './reserved-names.ts';

/** Every final name of a Rust SDK. */
export interface RustNames extends MethodNames {
  /** Name on a registry: `acme-words`. */
  package: string;
  /** Name to import: `acme_words`. */
  crate: string;
  /** Struct or enum in `messages.rs`, by the full name of a message or enum. Enums of oneofs share the scope. */
  types: ReadonlyMap<string, string>;
  /** Enum in `messages.rs`, by the full name of a message and the name of its oneof. */
  oneofs: ReadonlyMap<string, string>;
  /** Field, by the full name of its message, then by the name of the field or oneof. */
  fields: PartNames;
  /** Variant, by the full name of the message, then by the name of a field of a oneof. */
  cases: PartNames;
  /** Variant or constant, by the full name of the enum, then by the name of the value. */
  values: PartNames;
  /** File in `examples/` without its ending, by alias. */
  examples: ReadonlyMap<string, string>;
}

/**
 * Maximum length of a name; longer names are truncated after a word, so that every line of generated code can be broken as
 * rustfmt does.
 */
const longestType = 56;
const longestName = 60;

/** Returns the key of a oneof in `RustNames.oneofs`. */
export function oneofKey(message: string, oneof: string): string {
  return `${message} ${oneof}`;
}

/** Returns the constant of `members.rs` for a method. */
export function constantName(call: string): string {
  return bareName(call).toUpperCase();
}

/**
 * Plans the names of one SDK. Names are deterministic and unique in their scope, and avoid the names that Rust and the runtime
 * need.
 */
export function planNames(model: SdkModel): RustNames {
  const { handle, slug } = model.client;
  const name = `${handle}-${slug}`;
  const packageName = /^\d/.test(name) ? `svc-${name}` : name;
  const crate = packageName.replaceAll('-', '_');
  const firstSeen = firstSeenIn(model);
  const { calls, flows, uploads, sessions } = planMethods(model.members, methodsOf, {
    rules: { reserved: reservedForCalls },
    firstSeen,
  });
  return {
    package: packageName,
    crate,
    ...planTypes(model, firstSeen),
    fields: new Map(
      planFields(model.types.messages, firstSeen)
        .entries()
        .map(([type, names]) => [type, identifiers(names)]),
    ),
    cases: planCases(model.types.messages, firstSeen),
    values: planValues(model.types.enums, firstSeen),
    calls: identifiers(calls),
    flows,
    uploads,
    sessions,
    examples: planMembers(model.members, (alias) => ({ intended: planned(calls, alias) }), {
      rules: { reserved: new Set([...reservedForExamples, crate]) },
      firstSeen,
    }),
  };
}

/**
 * Returns names as identifiers. They are planned without `r#`: with it, a numbered name such as `r#type2` would be
 * another spelling of `type2`.
 */
function identifiers(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(names.entries().map(([id, name]) => [id, identifier(name)]));
}

function methodsOf(alias: string) {
  const name = cut(snakeCase(alias), longestName - '_execution'.length, '_');
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

/** Plans the types: messages, enums and the enums of oneofs share one module. */
function planTypes(model: SdkModel, firstSeen: FirstSeen): Pick<RustNames, 'types' | 'oneofs'> {
  const oneofs = model.types.messages.flatMap(({ fullName, name, oneofs: own }) =>
    own.map((oneof): SymbolRequest & { key: string } => ({
      key: oneofKey(fullName, oneof.name),
      id: `oneof ${oneofKey(fullName, oneof.name)}`,
      intended: cutType([...splitWords(name), ...splitWords(oneof.name)]),
      alternatives: () => [cutType([...splitWords(fullName), ...splitWords(oneof.name)])],
      since: firstSeen.part(fullName, oneof.name),
    })),
  );
  const types = typeNameRequests(model.types, firstSeen, (name) => cut(name, longestType));
  const named = planScope([...types, ...oneofs], { reserved: reservedForTypes });
  return { types: named, oneofs: new Map(oneofs.map(({ key, id }) => [key, planned(named, id)])) };
}

const planFields = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) =>
    [...fields, ...oneofs].map(({ name }) => ({
      id: name,
      intended: cut(snakeCase(name), longestName, '_'),
    })),
  rulesOf: () => ({ reserved: reservedForFields }),
});

const planCases = createPartPlanner<MessageModel>({
  requestsOf: ({ fields }) =>
    fields
      .filter(({ oneof }) => oneof !== undefined)
      .map(({ name }) => ({ id: name, intended: cut(pascalCase(name), longestName) })),
  rulesOf: () => ({ reserved: reservedForCases }),
});

const planValues = createPartPlanner<EnumModel>({
  requestsOf: valueRequests,
  rulesOf: () => ({ reserved: reservedForVariants }),
});

/**
 * Returns requests for the values of an enum, without its name as a prefix; the enum may be nested in a message. A
 * value that repeats a number becomes a constant.
 */
function valueRequests({ name, values }: EnumModel): SymbolRequest[] {
  const own = [name, name.replace(/^.*\./, '')].map((each) => `${screamingCase(each)}_`);
  const numbers = new Set<number>();
  return values.map(({ name: value, number }) => {
    const bare = screamingCase(value);
    const short = bare.slice(own.find((prefix) => bare.startsWith(prefix))?.length ?? 0);
    const style = numbers.size === numbers.add(number).size ? screamingCase : variantCase;
    return {
      id: value,
      intended: cut(style(short), longestName, style === screamingCase ? '_' : ''),
      alternatives: () => [cut(style(value), longestName, style === screamingCase ? '_' : '')],
    };
  });
}

function variantCase(text: string): string {
  return pascalCase(text.toLowerCase());
}

function cutType(words: readonly string[]): string {
  return cut(pascalCase(words), longestType);
}

/** Returns a name of at most `longest` characters, truncated before a word if that leaves more than half of it. */
function cut(name: string, longest: number, separator = ''): string {
  if (name.length <= longest) return name;
  const head = name.slice(0, longest + 1);
  const end = separator === '' ? head.search(/[A-Z][^A-Z]*$/) : head.lastIndexOf(separator);
  return name.slice(0, end > longest / 2 ? end : longest);
}
