import type { FlowName } from '../deployment/flows.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import { type AcceptedRun, chargesOf } from '../history.ts';
import { askUntilAnswered, newId, type SoakContext } from './soak-context.ts';

/** A run as the response to its invocation describes it. */
export interface StartedRun {
  executionId: string;
  run: AcceptedRun;
  /** Of the response. */
  pauseId: string | undefined;
  result: { success: boolean; output?: { id?: string; decision?: string } } | undefined;
}

interface StartOptions {
  flow: FlowName;
  input: object;
  wait?: boolean;
  key?: string;
  replica?: SoakReplica;
  /** Default: the flow that was compiled before the soak. */
  graph?: string;
  /** Statuses with which the run may end, regardless of faults. */
  mayEnd?: readonly string[];
}

/** Starts a run of a flow, and repeats the request until there is a response. Undefined if the service refuses it. */
export async function startRun(
  context: SoakContext,
  { flow, graph, input, wait = false, key = newId(), replica, mayEnd = ['COMPLETED'] }: StartOptions,
): Promise<StartedRun | undefined> {
  const { history, tenant } = context;
  const { answer, isDoubtful } = await askUntilAnswered(context, {
    method: 'POST',
    path: '/invocations/v1/flows/invoke',
    body: { graph_id: graph ?? tenant.graphs[flow], input, wait, timeout_seconds: 20 },
    headers: { 'idempotency-key': key },
    expected: [202],
    ...(replica && { replica }),
  });
  if (answer?.status !== 202) {
    if (isDoubtful) chargesOf(history, tenant.tenant).possible += 1;
    return undefined;
  }
  const body = answer.body as Started;
  history.keys.push({ tenant: tenant.tenant.handle, key, executionId: body.execution_id });
  return {
    executionId: body.execution_id,
    run: acceptRun(context, body.execution_id, mayEnd),
    pauseId: body.pause_id,
    result: body.result,
  };
}

interface Started {
  execution_id: string;
  pause_id?: string;
  result?: NonNullable<StartedRun['result']>;
}

/** Records an acknowledged run and its charge. A known run stays unchanged. */
export function acceptRun(
  { history, operation, tenant: { tenant } }: SoakContext,
  executionId: string,
  mayEnd: readonly string[],
  stream?: { from: number; to: number },
): AcceptedRun {
  const known = history.runs.get(executionId);
  if (known) return known;
  const run = { executionId, tenant, operation, mayEnd: new Set(mayEnd), ...(stream && { stream }) };
  history.runs.set(executionId, run);
  chargesOf(history, tenant).sure += 1;
  return run;
}
