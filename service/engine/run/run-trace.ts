import type { FinishedSpan, Tracer } from '../../telemetry/tracer.ts';
import { attemptSpan, rootSpan } from '../../telemetry/trace-context.ts';
import type { CompiledNode } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type {
  JournalEntry,
  NodeCompleted,
  NodeFailed,
  RunEnding,
  Stamp,
  StepRef,
  StreamCompleted,
} from '../journal/entry.ts';
import type { ActiveStep, RunState } from '../journal/state.ts';

/**
 * The spans of one run: a root span from acceptance to end, and a child span per attempt of a step. Spans are derived from
 * committed entries, so a replica that has lost a run records none, and a replica completes the spans that another one began.
 */
export interface RunTrace {
  committed(entries: readonly JournalEntry[]): void;
}

interface RunTraceOptions {
  tracer: Tracer;
  /** The tenant's handle. */
  tenant: string;
  loaded: LoadedGraph;
  /** The fold of the committed entries. */
  state: RunState;
}

type Attempt = Pick<ActiveStep, 'step' | 'node' | 'branch' | 'attempt' | 'startedAt'>;

/**
 * Creates the trace of a run. It includes the attempts that are open in `state`, whose spans this replica completes.
 */
export function createRunTrace({ tracer, tenant, loaded, state }: RunTraceOptions): RunTrace {
  const { executionId } = state;
  const { graphId, name: flow } = loaded.graph;
  const root = rootSpan(executionId);
  const underWay = new Map<number, Attempt>();
  for (const { step, node, branch, attempt, startedAt, retryAt, asks } of state.active.values()) {
    if (retryAt === undefined && !asks) underWay.set(step, { step, node, branch, attempt, startedAt });
  }

  /** Finds a placement in the compiled flow, or in the mutations of the run. */
  const placementOf = (node: string): CompiledNode | undefined =>
    [loaded.graph, ...state.mutations].flatMap(({ nodes }) => nodes).find(({ id }) => id === node);

  const endAttempt = (step: number, endedAt: number, error?: string, mocked = false): void => {
    const attempt = underWay.get(step);
    if (!attempt) return;
    underWay.delete(step);
    const placement = placementOf(attempt.node);
    tracer.record({
      ...attemptSpan(executionId, step, attempt.attempt),
      parentSpanId: root.spanId,
      name: `step ${attempt.node}`,
      kind: mocked ? 'internal' : 'client',
      startedAt: attempt.startedAt,
      endedAt,
      attributes: {
        'svc.tenant': tenant,
        'svc.graph.id': graphId,
        'svc.step': step,
        'svc.attempt': attempt.attempt,
        'svc.placement.id': attempt.node,
        'svc.branch.id': attempt.branch,
        'svc.mocked': mocked,
        ...(placement && {
          'svc.node.name': placement.nodeName,
          'svc.package.name': placement.packageName,
          'svc.package.version': placement.version,
        }),
      },
      error,
    });
  };

  const endStep = (entry: (NodeCompleted | NodeFailed | StreamCompleted) & Stamp): void => {
    const error = entry.type === 'NODE_FAILED' ? entry.message : undefined;
    endAttempt(entry.step, entry.at, error, entry.mocked);
  };

  const endRun = (end: RunEnding): void => {
    for (const step of [...underWay.keys()])
      endAttempt(step, end.at, 'the run ended before the node answered');
    const error = end.type === 'FLOW_FAILED' ? end.message : undefined;
    tracer.record({ ...rootSpanOf(end), error, link: state.invokedBy });
  };

  const rootSpanOf = (end: RunEnding): FinishedSpan => ({
    ...root,
    name: `flow ${flow}`,
    kind: 'internal',
    // The first 48 bits of an execution id are the time of acceptance.
    startedAt: Number.parseInt(executionId.slice(0, 12), 16),
    endedAt: end.at,
    attributes: {
      'svc.tenant': tenant,
      'svc.graph.id': graphId,
      'svc.execution.id': executionId,
      'svc.execution.status': end.type === 'FLOW_COMPLETED' ? 'COMPLETED' : end.status,
      'svc.steps': state.steps,
    },
  });

  return {
    committed: (entries) => {
      for (const entry of entries) {
        switch (entry.type) {
          case 'NODE_STARTED':
            underWay.set(entry.step, { ...refOf(entry), attempt: 1, startedAt: entry.at });
            break;
          case 'NODE_RETRY_STARTED':
            underWay.set(entry.step, { ...refOf(entry), attempt: entry.attempt, startedAt: entry.at });
            break;
          case 'NODE_RETRY_SCHEDULED':
            endAttempt(entry.step, entry.at, entry.message ?? 'failed');
            break;
          case 'pause_requested':
          case 'HITL_PAUSED':
            endAttempt(entry.step, entry.at);
            break;
          case 'NODE_COMPLETED':
          case 'NODE_STREAM_COMPLETE':
          case 'NODE_FAILED':
            endStep(entry);
            break;
          case 'FLOW_COMPLETED':
          case 'FLOW_FAILED':
            endRun(entry);
            break;
          default:
        }
      }
    },
  };
}

function refOf({ step, node, branch }: StepRef): StepRef {
  return { step, node, branch };
}
