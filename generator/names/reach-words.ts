import { hash } from 'node:crypto';
import type { TypeModel } from '../../specs/messages/message-model.ts';
import { remembering } from '../../specs/remembering.ts';
import { definitionOf, heldBy, typeReach, type NamedType } from '../model/type-reach.ts';
import { createMemory } from '../remember.ts';
import type { PartNames } from './plan-parts.ts';

/** The names that a language planned for the types of a model. */
export interface TypeNames {
  /** By full name. */
  types: ReadonlyMap<string, string>;
  /** Names of fields, oneofs, enum values: each that programs may say. */
  parts: readonly PartNames[];
}

const mostNamings = 64;

/**
 * The words that what is printed of a type is remembered by (`generator/remember.ts`): the name and the definition of the type, the
 * names of its parts, and the same of all that it reaches. Undefined for a type that reaches too many: it is not remembered.
 */
export function createReachWords(
  model: TypeModel,
  names: TypeNames,
): (fullName: string) => string | undefined {
  const reach = typeReach(model);
  const nameWords = createNameWords(names);
  const tokenOf = (type: NamedType): string => {
    const words = nameWords(type.fullName);
    return tokens.recall(type, words, () => hash('sha256', `${words} ${definitionOf(type)}`, 'base64'));
  };
  const known = new Map<string, string | undefined>();
  return (fullName) => {
    if (!known.has(fullName)) known.set(fullName, reach.of(fullName)?.map(tokenOf).join(' '));
    return known.get(fullName);
  };
}

/** Names and definitions of types in a few characters, since they are part of many words; as many as languages and clients name them. */
const tokens = createMemory<NamedType, string>(mostNamings);

/**
 * The words that the declaration of a type is remembered by, beside the type itself: its name, the names of its parts, and the
 * same of the types that its fields have.
 */
export function createDeclarationWords(names: TypeNames): (type: NamedType) => string {
  const nameWords = createNameWords(names);
  return (type) => [type.fullName, ...heldBy(type)].map(nameWords).join('\n');
}

/** Names of a type and its parts. */
function createNameWords({ types, parts }: TypeNames): (fullName: string) => string {
  const known = new Map<string, string>();
  return (fullName) => {
    const before = known.get(fullName);
    if (before !== undefined) return before;
    let words = types.get(fullName) ?? '';
    for (const names of parts) {
      const own = names.get(fullName);
      words += own === undefined ? '|' : `|${partWords(own)}`;
    }
    known.set(fullName, words);
    return words;
  };
}

/** Names of parts with what they are of: one name may have been another's in another version. */
const partWords = remembering((names: ReadonlyMap<string, string>): string =>
  [...names].map(([part, name]) => `${part}=${name}`).join(','),
);
