import type { SoakReplica } from '../deployment/soak-replica.ts';
import { ask, askUntilAnswered, type SoakContext } from './soak-context.ts';
import type { StartedRun } from './start-run.ts';

/** A pause that waits for a decision. */
interface FoundPause {
  executionId: string;
  pauseId: string;
  expiresAt: number;
  /** Absent if the pause does not escalate. */
  escalatesAt?: number;
}

interface ListedPause {
  pause_id: string;
  status: string;
  created_at: string;
  expires_at: string;
  interrupt_payload: { escalateSeconds: number };
}

/** Waits until a run pauses, and returns the pause. Undefined if the run ends first, or the wait takes too long. */
export async function findPause(
  context: SoakContext,
  { executionId }: Pick<StartedRun, 'executionId'>,
): Promise<FoundPause | undefined> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const path = `/invocations/v1/executions/${executionId}`;
    const { answer } = await askUntilAnswered(context, { path: `${path}/pauses`, expected: [200] });
    const { pauses = [] } = (answer?.body ?? {}) as { pauses?: ListedPause[] };
    const found = pauses.find(({ status }) => status === 'WAITING');
    if (found) {
      const { escalateSeconds } = found.interrupt_payload;
      const escalatesAt = Date.parse(found.created_at) + escalateSeconds * 1_000;
      return {
        executionId,
        pauseId: found.pause_id,
        expiresAt: Date.parse(found.expires_at),
        ...(escalateSeconds > 0 && { escalatesAt }),
      };
    }
    const record = await ask(context, { path, expected: [200] });
    if ((record?.body as { completed_at?: string } | undefined)?.completed_at !== undefined) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return undefined;
}

/**
 * Sends a decision on a pause, and repeats the request until there is a response. Returns the status of the response.
 */
export async function decide(
  context: SoakContext,
  { executionId, pauseId, expiresAt, escalatesAt }: FoundPause,
  { value, replica, expected }: { value: string; replica?: SoakReplica; expected: readonly number[] },
): Promise<number | undefined> {
  const { answer } = await askUntilAnswered(context, {
    method: 'POST',
    path: `/invocations/v1/flows/${executionId}/resume`,
    body: { pause_id: pauseId, value: { decision: value }, resumed_by: value },
    expected,
    ...(replica && { replica }),
  });
  if (!answer) return undefined;
  const body = answer.body as { already_resumed?: boolean; resume_value?: { decision?: string } };
  context.history.decisions.push({
    executionId,
    pauseId,
    value,
    sentAt: answer.sentAt,
    expiresAt,
    ...(escalatesAt !== undefined && { escalatesAt }),
    status: answer.status,
    ...(body.already_resumed !== undefined && { isRepeated: body.already_resumed }),
    ...(body.resume_value?.decision !== undefined && { winner: body.resume_value.decision }),
  });
  return answer.status;
}
