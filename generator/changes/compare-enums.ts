import type { EnumModel, EnumValueModel } from '../../specs/messages/message-model.ts';
import type { ChangeList } from './change-list.ts';
import { compareDocumentation } from './compare-documentation.ts';
import { comparePairs } from './compare-pairs.ts';

/** Compares two enums of one name. They are open, so a new value breaks no program. */
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

/** Programs read a number by the first name that it has, so that another first name is another value to them. */
function compareCanonicalNames(before: EnumModel, after: EnumModel, changes: ChangeList): void {
  const now = canonicalNames(after);
  for (const [number, name] of canonicalNames(before)) {
    const renamed = now.get(number);
    // The number is reported as removed with its only name.
    if (renamed === undefined || renamed === name) continue;
    changes.broken(`Number ${number} of enum ${after.fullName} is read as ${renamed} instead of ${name}.`);
  }
}

function canonicalNames({ values }: EnumModel): Map<number, string> {
  // Of two entries of a map the last one stays.
  return new Map(values.map(({ name, number }): [number, string] => [number, name]).reverse());
}
