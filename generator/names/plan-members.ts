import type { FirstSeen } from '../changes/first-seen.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { planScope, type ScopeRules, type SymbolRequest } from './plan-scope.ts';

/** Rules and ages for planning the names of members. */
export interface MemberScope {
  rules: ScopeRules;
  firstSeen: FirstSeen;
}

/** The names that a member should have; the id and the age are its own. */
export type IntendedNames = Pick<SymbolRequest, 'intended' | 'alternatives'>;

/** Longest name of an example whose path an archive may contain, with room for a number. */
export const longestExample = 160;

/** Plans a scope with one name per member, by alias: files of examples, methods that others are derived from. */
export function planMembers(
  members: readonly SdkMember[],
  namesOf: (alias: string) => IntendedNames,
  { rules, firstSeen }: MemberScope,
): ReadonlyMap<string, string> {
  return planScope(
    members.map(({ alias }) => ({ ...namesOf(alias), id: alias, since: firstSeen.member(alias) })),
    rules,
  );
}
