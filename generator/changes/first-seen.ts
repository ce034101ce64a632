import type { Appearance, SdkModel, Surface } from '../model/sdk-model.ts';

/** The client version in which a symbol first appeared, for `SymbolRequest.since`. */
export interface FirstSeen {
  member(alias: string): number;
  type(fullName: string): number;
  /** Returns the version of a field, oneof or enum value. */
  part(typeName: string, name: string): number;
}

/** Reads `firstSeen` of a model. A symbol that is not listed is as old as its type or the client. */
export function firstSeenIn({ firstSeen }: Pick<SdkModel, 'firstSeen'>): FirstSeen {
  const index = (list: 'members' | 'types' | 'parts'): ReadonlyMap<string, number> =>
    new Map(firstSeen.flatMap((each) => each[list].map((name) => [name, each.version])));
  const [members, types, parts] = [index('members'), index('types'), index('parts')];
  const type = (fullName: string): number => types.get(fullName) ?? 1;
  return {
    member: (alias) => members.get(alias) ?? 1,
    type,
    part: (typeName, name) =>
      (parts.size === 0 ? undefined : parts.get(`${typeName}.${name}`)) ?? type(typeName),
  };
}

/**
 * Computes `firstSeen` of a version from the previous version's. A symbol that was removed and added again is new: another symbol
 * may now have its name.
 */
export function recordFirstSeen(
  previous: { surface: Surface; firstSeen: readonly Appearance[] },
  next: Surface,
  version: number,
): Appearance[] {
  const before = symbolsOf(previous.surface);
  const now = symbolsOf(next);
  const kept = previous.firstSeen.map((each): Appearance => ({
    version: each.version,
    members: each.members.filter((alias) => before.members.has(alias) && now.members.has(alias)),
    types: each.types.filter((name) => before.types.has(name) && now.types.has(name)),
    parts: each.parts.filter((name) => before.parts.has(name) && now.parts.has(name)),
  }));
  const newTypes = new Set(missingIn(before.types, now.types));
  const appeared: Appearance = {
    version,
    members: missingIn(before.members, now.members),
    types: [...newTypes],
    parts: missingIn(before.parts, now.parts).filter(
      (name) => !newTypes.has(name.slice(0, name.lastIndexOf('.'))),
    ),
  };
  return [...kept, appeared].filter(
    ({ members, types, parts }) => members.length + types.length + parts.length > 0,
  );
}

function missingIn(before: ReadonlySet<string>, now: ReadonlySet<string>): string[] {
  return [...now].filter((name) => !before.has(name)).sort();
}

function symbolsOf({ members, types }: Surface): Record<'members' | 'types' | 'parts', Set<string>> {
  return {
    members: new Set(members.map(({ alias }) => alias)),
    types: new Set([...types.messages, ...types.enums].map(({ fullName }) => fullName)),
    parts: new Set([
      ...types.messages.flatMap(({ fullName, fields, oneofs }) =>
        [...fields, ...oneofs].map(({ name }) => `${fullName}.${name}`),
      ),
      ...types.enums.flatMap(({ fullName, values }) => values.map(({ name }) => `${fullName}.${name}`)),
    ]),
  };
}
