import type { FirstSeen } from '../changes/first-seen.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { planScope, type ScopeRules, type SymbolRequest } from './plan-scope.ts';

/** What the names of members are planned by. */
export interface MemberScope {
  rules: ScopeRules;
  firstSeen: FirstSeen;
}

/** The names that a member should have; the id and the age are its own. */
export type IntendedNames = Pick<SymbolRequest, 'intended' | 'alternatives'>;

/** Plans a scope that holds one name a member, by alias: files of examples, methods that others are derived from. */
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
