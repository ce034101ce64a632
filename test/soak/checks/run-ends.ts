import type { ShownExecution } from '../evidence/evidence.ts';
import type { AcceptedRun, Harm } from '../history.ts';
import { failureExcuse } from './excuses.ts';
import type { Check } from './violation.ts';

/** Type of the last event, by terminal status. */
const lastEvents: Readonly<Record<string, string>> = {
  COMPLETED: 'FLOW_COMPLETED',
  FAILED: 'FLOW_FAILED',
  CANCELLED: 'FLOW_FAILED',
  FORKED: 'FLOW_FAILED',
};

/**
 * Every acknowledged run has ended, with a status that its client allows for. It has exactly one terminal event, which
 * is its last.
 */
export const runEnds: Check = ({ runs, cancelled, harms }, { executions }) =>
  [...runs.values()].flatMap((run) => {
    const shown = executions.get(run.executionId);
    return problemsOf(run, shown, harms, cancelled).map((problem) => ({
      about: run.operation,
      text: `run ${run.executionId} ${problem}`,
    }));
  });

function problemsOf(
  run: AcceptedRun,
  shown: ShownExecution | undefined,
  harms: readonly Harm[],
  cancelled: ReadonlySet<string>,
): string[] {
  const { status, hasEnded = false, events = [] } = shown ?? {};
  if (status === undefined) return ['is unknown'];
  const lastEvent = lastEvents[status];
  if (!hasEnded || lastEvent === undefined) return [`has not ended: ${status}`];
  const ends = events.filter(({ type }) => type === 'FLOW_COMPLETED' || type === 'FLOW_FAILED');
  const types = events.map(({ type }) => type);
  return [
    ...(run.mayEnd.has(status) || isExcused(run, status, harms) ? [] : [`is ${status}: ${types.join(' ')}`]),
    ...(cancelled.has(run.executionId) && status !== 'CANCELLED' ? [`was cancelled, but is ${status}`] : []),
    ...(ends.length === 1 ? [] : [`has ${ends.length} terminal events: ${types.join(' ')}`]),
    ...(types.at(-1) === lastEvent ? [] : [`is ${status}, and ends with ${types.at(-1)}`]),
  ];
}

/**
 * Reports whether a fault explains a failed run. Retries of a step outlast a container outage. A stream is not retried,
 * so it fails with its process or container.
 */
function isExcused({ stream }: AcceptedRun, status: string, harms: readonly Harm[]): boolean {
  return status === 'FAILED' && stream !== undefined && failureExcuse(harms, stream) !== undefined;
}
