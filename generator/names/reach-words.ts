import type { TypeModel } from '../../specs/messages/message-model.ts';
import { definitionOf, heldBy, shortWord, typeReach, type NamedType } from '../model/type-reach.ts';
import { createMemory } from '../remember.ts';
import type { PartNames } from './plan-parts.ts';

/** The names that a language planned for the types of a model. */
export interface TypeNames {
  /** By full name. */
  types: ReadonlyMap<string, string>;
  /** Names of fields, oneofs, enum values: each that programs may say. */
  parts: readonly PartNames[];
}

/**
 * The words that what is printed of a type is remembered by (`generator/remember.ts`): the name and the definition of the type, the
 * names of its parts, and the same of all that it reaches. Undefined for a type that reaches too many: it is not remembered.
 */
export function createReachWords(
  model: TypeModel,
  names: TypeNames,
): (fullName: string) => string | undefined {
  const reach = typeReach(model);
  const wordOf = createNameWord(names);
  const made = new Map<string, string | undefined>();
  return (fullName) => {
    if (!made.has(fullName)) {
      const words = reach.of(fullName)?.map((type) => wordOf(type.fullName) + definitionOf(type));
      made.set(fullName, words?.join(' '));
    }
    return made.get(fullName);
  };
}

/**
 * The words that the declaration of a type is remembered by, beside the type itself: its name, the names of its parts, and the
 * same of the types that its fields have.
 */
export function createDeclarationWords(names: TypeNames): (type: NamedType) => string {
  const wordOf = createNameWord(names);
  const made = new Map<NamedType, string>();
  return (type) => {
    const before = made.get(type);
    if (before !== undefined) return before;
    const words = [type.fullName, ...heldBy(type)].map(wordOf).join(' ');
    made.set(type, words);
    return words;
  };
}

/** A word for the names of a type and of its parts. */
function createNameWord({ types, parts }: TypeNames): (fullName: string) => string {
  const made = new Map<string, string>();
  const make = (fullName: string): string => {
    const typeName = types.get(fullName) ?? '';
    const own = parts.map((names) => names.get(fullName)).filter((names) => names !== undefined);
    const [only] = own;
    if (only === undefined || own.length > 1) return wordFor(typeName, own);
    return nameWords.recall(only, typeName, () => wordFor(typeName, own));
  };
  return (fullName) => {
    const word = made.get(fullName) ?? make(fullName);
    made.set(fullName, word);
    return word;
  };
}

/** By the names of parts, which a planner gives once for as long as they stay (`plan-parts.ts`), and the name of the type. */
const nameWords = createMemory<ReadonlyMap<string, string>, string>();

/** Names go with what they are of: one name may have been another's in another version. */
function wordFor(typeName: string, parts: readonly ReadonlyMap<string, string>[]): string {
  return shortWord(JSON.stringify([typeName, ...parts.map((names) => [...names])]));
}
