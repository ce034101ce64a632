import type { z } from 'zod';
import type { acceptedFork, acceptedInvocation } from '../../../specs/operations/flow-shapes.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { RawJson } from '../answer/raw-json.ts';

/** The output of a run, in the form of its input. */
export type RunOutput = { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array };

/** The state of a run when its invocation is answered. */
export type InvocationEnd =
  | { kind: 'started' }
  | { kind: 'completed'; output: RunOutput; completedAt: number }
  | { kind: 'failed' | 'cancelled'; message: string; completedAt: number }
  | { kind: 'paused'; pauseId: string }
  | { kind: 'running'; waitedSeconds: number };

/** An accepted invocation of a flow, with what is known of its run when it is answered. */
export interface Invocation {
  /** Id of the run. */
  executionId: string;
  end: InvocationEnd;
  /** Ids of mocked nodes; empty if every node runs for real. */
  mockedNodes: readonly string[];
}

type Accepted = z.input<typeof acceptedInvocation>;
type AcceptedFork = z.input<typeof acceptedFork>;

/**
 * Presents the response to an invocation. It contains the output as written: parsing and printing it would be slow for large
 * outputs.
 */
export function presentInvocation(invocation: Invocation): PartlyRaw<Accepted> {
  return new PartlyRaw<Accepted>(acceptedFields(invocation));
}

/**
 * Presents the response to a fork, like `presentInvocation`.
 *
 * @param forkedFrom the parent; `null` for a repeated request whose run is not a fork
 */
export function presentFork(invocation: Invocation, forkedFrom: string | null): PartlyRaw<AcceptedFork> {
  return new PartlyRaw<AcceptedFork>({
    ...acceptedFields(invocation),
    forked_from_execution_id: forkedFrom,
  });
}

function acceptedFields({ executionId, end, mockedNodes }: Invocation) {
  return {
    accepted: true as const,
    execution_id: executionId,
    ...endFields(end),
    ...(mockedNodes.length > 0 && { mocked_nodes: [...mockedNodes] }),
  };
}

type Result = NonNullable<Accepted['result']>;
type EndFields = Pick<Accepted, 'error_message' | 'execution_status' | 'pause_id'> & {
  result?: PartlyRaw<Result>;
};

function endFields(end: InvocationEnd): EndFields {
  switch (end.kind) {
    case 'started':
      return {};
    case 'completed': {
      const { output, completedAt } = end;
      return {
        result: new PartlyRaw<Result>({ success: true, ...outputField(output), completed_at: completedAt }),
      };
    }
    case 'failed':
    case 'cancelled': {
      const { message, completedAt } = end;
      return {
        result: new PartlyRaw<Result>({ success: false, error_message: message, completed_at: completedAt }),
        error_message: message,
      };
    }
    case 'paused':
      return { execution_status: 'PAUSED', pause_id: end.pauseId };
    case 'running':
      return {
        error_message: `timeout waiting for flow result (${end.waitedSeconds}s)`,
        execution_status: 'RUNNING',
      };
  }
}

function outputField(output: RunOutput): { output: RawJson } | { payload: string } {
  return output.form === 'json'
    ? { output: new RawJson(output.text) }
    : { payload: Buffer.from(output.bytes).toString('base64') };
}
