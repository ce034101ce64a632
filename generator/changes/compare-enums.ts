import type { EnumModel, EnumValueModel } from '../../specs/messages/message-model.ts';
import type { ChangeList } from './change-list.ts';
import { compareDocumentation } from './compare-documentation.ts';
import { comparePairs } from './compare-pairs.ts';

/** Compares two enums with the same name. They are open, so a new value breaks no program. */
export function compareEnums(before: EnumModel, after: EnumModel, changes: ChangeList): void {
  compareDocumentation(`Enum ${after.fullName}`, before, after, changes);
  const nameOf = (value: EnumValueModel): string => `Value ${value.name} of enum ${after.fullName}`;
  comparePairs(before.values, after.values, ({ name }) => name, {
    added: (value) => changes.added(`${nameOf(value)}.`),
    removed: (value) => changes.removed(`${nameOf(value)}.`),
    both: (old, now) => {
      if (old.number !== now.number) {
        changes.broken(`${nameOf(now)} has the number ${now.number} instead of ${old.number}.`);
      }
      compareDocumentation(nameOf(now), old, now, changes);
    },
  });
  compareCanonicalNames(before, after, changes);
}

/** Programs read a number as its first name, so a different first name is a different value to them. */
function compareCanonicalNames(before: EnumModel, after: EnumModel, changes: ChangeList): void {
  const now = canonicalNames(after);
  for (const [number, name] of canonicalNames(before)) {
    const renamed = now.get(number);
    // The removal of a number is already reported with its only name.
    if (renamed === undefined || renamed === name) continue;
    changes.broken(`Number ${number} of enum ${after.fullName} is read as ${renamed} instead of ${name}.`);
  }
}

function canonicalNames({ values }: EnumModel): Map<number, string> {
  // If a key occurs twice, a Map keeps the last entry.
  return new Map(values.map(({ name, number }): [number, string] => [number, name]).reverse());
}
