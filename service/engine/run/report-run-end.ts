import type { Logger } from 'pino';
import { logFailedCall } from '../../logging/failed-call.ts';
import type { Metrics } from '../../metrics.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { RunIdentity } from './transition.ts';

interface Reporters {
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'countRun'>;
}

/**
 * Counts the end of a run that a committed row contains, and logs a failure. A run that was cancelled or forked has not failed.
 *
 * @param entries the entries of the row
 */
export function reportRunEnd(
  { logger, metrics }: Reporters,
  { tenantId, executionId, graph }: RunIdentity,
  entries: readonly JournalEntry[],
): void {
  for (const entry of entries) {
    if (entry.type === 'FLOW_COMPLETED') metrics.countRun('COMPLETED');
    if (entry.type !== 'FLOW_FAILED') continue;
    const { status, node, failureKind, message } = entry;
    metrics.countRun(status);
    if (status !== 'FAILED') continue;
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
}
