import type { ChangeList } from './change-list.ts';

interface Documented {
  comment: string;
  deprecated: boolean;
}

/** What people are told of a declaration; programs go on as before. */
export function compareDocumentation(
  what: string,
  before: Documented,
  after: Documented,
  changes: ChangeList,
): void {
  if (after.deprecated !== before.deprecated) {
    changes.changed(`${what} is ${after.deprecated ? 'deprecated' : 'no longer deprecated'}.`);
  }
  if (after.comment !== before.comment) changes.changed(`${what} is described anew.`);
}
