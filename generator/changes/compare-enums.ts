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
}
