import type { TypeModel } from '../../specs/messages/message-model.ts';
import { remembering } from '../../specs/remembering.ts';
import { definitionOf, typeReach, type NamedType } from '../model/type-reach.ts';
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
  { types, parts }: TypeNames,
): (fullName: string) => string | undefined {
  const reach = typeReach(model);
  const words = new Map<NamedType, string>();
  const wordsOf = (type: NamedType): string => {
    const { fullName } = type;
    const known = words.get(type);
    if (known !== undefined) return known;
    const ofParts = parts.map((names) => {
      const own = names.get(fullName);
      return own === undefined ? '' : partWords(own);
    });
    const made = `${types.get(fullName) ?? ''} ${definitionOf(type)} ${ofParts.join('|')}`;
    words.set(type, made);
    return made;
  };
  return (fullName) => reach.of(fullName)?.map(wordsOf).join('\n');
}

/** Names of parts with what they are of: one name may have been another's in another version. */
const partWords = remembering((names: ReadonlyMap<string, string>): string =>
  [...names].map(([part, name]) => `${part}=${name}`).join(','),
);
