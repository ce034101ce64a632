import type { SdkMember } from '../model/sdk-model.ts';
import type { MemberScope } from './plan-members.ts';
import { planScope } from './plan-scope.ts';
import { planned } from './planned.ts';

/** Further methods of a flow: start without waiting, find a run by its id, warm. */
export interface FlowNames {
  start: string;
  execution: string;
  warm: string;
}

/** Final names of the methods of a client. */
export interface MethodNames {
  /** Method that calls a member, by alias. */
  calls: ReadonlyMap<string, string>;
  /** Further methods of a flow, by alias. */
  flows: ReadonlyMap<string, FlowNames>;
}

/** Intended names of the methods of a member; a node has only `call`. */
type IntendedMethods = { call: string } & FlowNames;

/**
 * Plans the methods of a client, which share one scope: a member has one that calls it, a flow three more.
 *
 * @example
 * // members: the flow `write letter`
 * // calls: 'write letter' -> write_letter
 * // flows: 'write letter' -> { start: start_write_letter, execution: write_letter_execution, warm: warm_write_letter }
 */
export function planMethods(
  members: readonly SdkMember[],
  methodsOf: (alias: string) => IntendedMethods,
  { rules, firstSeen }: MemberScope,
): MethodNames {
  const names = planScope(
    members.flatMap(({ alias, type }) => {
      const intended = methodsOf(alias);
      const kinds = type === 'flow' ? (['call', 'start', 'execution', 'warm'] as const) : (['call'] as const);
      const since = firstSeen.member(alias);
      return kinds.map((kind) => ({ id: `${kind} ${alias}`, intended: intended[kind], since }));
    }),
    rules,
  );
  const nameOf = (kind: keyof IntendedMethods, alias: string): string => planned(names, `${kind} ${alias}`);
  const flows = members.filter(({ type }) => type === 'flow');
  return {
    calls: new Map(members.map(({ alias }) => [alias, nameOf('call', alias)])),
    flows: new Map(
      flows.map(({ alias }) => [
        alias,
        {
          start: nameOf('start', alias),
          execution: nameOf('execution', alias),
          warm: nameOf('warm', alias),
        },
      ]),
    ),
  };
}
