import type { ChangeList } from './change-list.ts';

interface Documented {
  comment: string;
  deprecated: boolean;
}

/** Compares the documentation of a declaration. Programs do not depend on it. */
export function compareDocumentation(
  what: string,
  before: Documented,
  after: Documented,
  changes: ChangeList,
): void {
  if (after.deprecated !== before.deprecated) {
    changes.changed(`${what} is ${after.deprecated ? 'deprecated' : 'no longer deprecated'}.`);
  }
  if (after.comment !== before.comment) changes.changed(`${what} has a new description.`);
}
