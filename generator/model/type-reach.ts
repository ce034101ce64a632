import { hash } from 'node:crypto';
import type { EnumModel, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';
import { remembering } from '../../specs/remembering.ts';

export type NamedType = MessageModel | EnumModel;

/** What the types of a model lead to. */
export interface TypeReach {
  /**
   * A type and all that its fields lead to, each once and always in the same order; none for a well-known type. Undefined when
   * there are more than `mostReached`: types that all hold each other would fill the memory with each other's names.
   */
  of(fullName: string): readonly NamedType[] | undefined;
}

const mostReached = 64;

/** Made once for all languages of a model. */
export const typeReach = remembering((types: TypeModel): TypeReach => {
  const byName = new Map<string, NamedType>();
  for (const type of [...types.messages, ...types.enums]) byName.set(type.fullName, type);
  const known = new Map<string, readonly NamedType[] | undefined>();
  return {
    of: (fullName) => {
      if (!known.has(fullName)) known.set(fullName, reachOf(fullName, byName));
      return known.get(fullName);
    },
  };
});

function reachOf(root: string, byName: ReadonlyMap<string, NamedType>): readonly NamedType[] | undefined {
  // A set that grows while it is walked: what is added is walked too.
  const names = new Set([root]);
  const reached: NamedType[] = [];
  for (const name of names) {
    const type = byName.get(name);
    if (type === undefined) continue;
    reached.push(type);
    if (reached.length > mostReached) return undefined;
    for (const held of heldBy(type)) names.add(held);
  }
  return reached;
}

/** Full names of the types that the fields of a type have, each once. */
export const heldBy = remembering((type: NamedType): readonly string[] => {
  if (!('fields' in type)) return [];
  return [
    ...new Set(type.fields.flatMap((field) => ('fullName' in field.type ? [field.type.fullName] : []))),
  ];
});

/** A word for all that a type is, comments aside: its fields and values, and what of it is deprecated. */
export const definitionOf = remembering((type: NamedType): string => {
  return shortWord(JSON.stringify(type, (key, value: unknown) => (key === 'comment' ? undefined : value)));
});

/** A word of 22 characters for a text: no two texts have one. */
export function shortWord(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 22);
}
