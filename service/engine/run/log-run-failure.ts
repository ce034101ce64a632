import type { Logger } from 'pino';
import { logFailedCall } from '../../logging/failed-call.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { RunIdentity } from './transition.ts';

/** Logs the failure of a run, if the entries of a committed row contain it. A cancelled run has not failed. */
export function logRunFailure(
  logger: Pick<Logger, 'warn'>,
  { tenantId, executionId, graph }: RunIdentity,
  entries: readonly JournalEntry[],
): void {
  const end = entries.find((entry) => entry.type === 'FLOW_FAILED');
  if (end?.status !== 'FAILED') return;
  const { node, failureKind, message } = end;
  const failed = {
    execution: executionId,
    tenant: tenantId,
    graph: graph.graphId,
    node,
    failureKind,
    message,
  };
  logFailedCall(logger, failed, 'a run failed');
}
