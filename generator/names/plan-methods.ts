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

/** Further methods of a pipeline node: create a split stream, find one by its id, open a live session. */
export interface SessionNames {
  create: string;
  find: string;
  open: string;
}

/** Final names of the methods of a client. */
export interface MethodNames {
  /** Method that calls a member, by alias. */
  calls: ReadonlyMap<string, string>;
  /** Further methods of a flow, by alias. */
  flows: ReadonlyMap<string, FlowNames>;
  /** Method by which a pipeline node accepts streamed input, by alias. Empty for a language without it. */
  uploads: ReadonlyMap<string, string>;
  /** Further methods of a pipeline node, by alias. Empty for a language without them. */
  sessions: ReadonlyMap<string, SessionNames>;
}

/**
 * Intended names of the methods of a member; a node has `call`, and a pipeline node also has `upload` and the methods of
 * sessions.
 */
type IntendedMethods = { call: string; upload?: string } & FlowNames & Partial<SessionNames>;

/**
 * Plans the methods of a client, which share one scope: a member has one that calls it, a flow three more, a pipeline node up to four.
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
      const { call, start, execution, warm, upload, create, find, open } = methodsOf(alias);
      const ofNode = mode === 'pipeline' ? { upload, create, find, open } : {};
      const intended = { call, ...(type === 'flow' ? { start, execution, warm } : ofNode) };
      const since = firstSeen.member(alias);
      return Object.entries(intended).flatMap(([kind, name]) =>
        name === undefined ? [] : [{ id: `${kind} ${alias}`, intended: name, since }],
      );
    }),
    rules,
  );
  const nameOf = (kind: keyof IntendedMethods, alias: string): string => planned(names, `${kind} ${alias}`);
  const flows = members.filter(({ type }) => type === 'flow');
  const uploads = members.filter(({ alias }) => names.has(`upload ${alias}`));
  const sessions = members.filter(({ alias }) => names.has(`open ${alias}`));
  return {
    sessions: new Map(
      sessions.map(({ alias }) => [
        alias,
        { create: nameOf('create', alias), find: nameOf('find', alias), open: nameOf('open', alias) },
      ]),
    ),
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
