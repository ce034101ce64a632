import type { NamedSurface } from '../model/sdk-model.ts';
import { ChangeList, type Changes } from './change-list.ts';
import { compareEnums } from './compare-enums.ts';
import { compareMembers, describeMember } from './compare-members.ts';
import { compareMessages } from './compare-messages.ts';
import { comparePairs } from './compare-pairs.ts';

/**
 * Returns the changes from `previous` to `next` for a program. Major: a removal, or a change that may break the program. Minor:
 * an addition. Patch: anything else, such as documentation and pins. Field numbers do not count, because SDKs use JSON.
 */
export function compareSurfaces(previous: NamedSurface, next: NamedSurface): Changes {
  const changes = new ChangeList();
  if (previous.slug !== next.slug) {
    changes.broken(
      `The client is ${next.slug} instead of ${previous.slug}, and so are its packages and imports.`,
    );
  }
  comparePairs(previous.members, next.members, ({ alias }) => alias, {
    added: (member) => changes.added(`${describeMember(member)}.`),
    removed: (member) => changes.removed(`${describeMember(member)}.`),
    both: (before, after) => compareMembers(before, after, changes),
  });
  comparePairs(previous.types.messages, next.types.messages, ({ fullName }) => fullName, {
    added: ({ fullName }) => changes.added(`Message ${fullName}.`),
    removed: ({ fullName }) => changes.removed(`Message ${fullName}.`),
    both: (before, after) => compareMessages(before, after, changes),
  });
  comparePairs(previous.types.enums, next.types.enums, ({ fullName }) => fullName, {
    added: ({ fullName }) => changes.added(`Enum ${fullName}.`),
    removed: ({ fullName }) => changes.removed(`Enum ${fullName}.`),
    both: (before, after) => compareEnums(before, after, changes),
  });
  return changes.finish();
}
