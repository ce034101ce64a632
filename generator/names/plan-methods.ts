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
  /** Method by which a pipeline node takes streamed input, by alias. Empty for a language without it. */
  uploads: ReadonlyMap<string, string>;
}

/** Intended names of the methods of a member; a node has `call`, and a pipeline node `upload`. */
type IntendedMethods = { call: string; upload?: string } & FlowNames;

/**
 * Plans the methods of a client, which share one scope: a member has one that calls it, a flow three more, a pipeline node one.
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
    members.flatMap(({ alias, type, mode }) => {
      const { call, start, execution, warm, upload } = methodsOf(alias);
      const ofNode = mode === 'pipeline' && upload !== undefined ? { upload } : {};
      const intended = { call, ...(type === 'flow' ? { start, execution, warm } : ofNode) };
      const since = firstSeen.member(alias);
      return Object.entries(intended).map(([kind, name]) => ({
        id: `${kind} ${alias}`,
        intended: name,
        since,
      }));
    }),
    rules,
  );
  const nameOf = (kind: keyof IntendedMethods, alias: string): string => planned(names, `${kind} ${alias}`);
  const flows = members.filter(({ type }) => type === 'flow');
  const uploads = members.filter(({ alias }) => names.has(`upload ${alias}`));
  return {
    uploads: new Map(uploads.map(({ alias }) => [alias, nameOf('upload', alias)])),
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
