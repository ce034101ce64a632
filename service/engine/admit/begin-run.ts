import type { Conversion } from '../../messages/conversion.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { ConfigProfile } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { newRunState, type RunState } from '../journal/state.ts';
import type { AdmittedRun } from '../run/local-runs.ts';
import { NextActions } from '../run/next-actions.ts';
import type { AdmissionParts } from './store-admission.ts';

/** Who invoked a run. */
export interface RunOrigin {
  debugSessionId?: string | undefined;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
  /** Id of the calling app key. */
  startedBy?: string | undefined;
}

/** A run that has begun in memory, with its first row not yet committed. */
export interface BegunRun extends Pick<AdmittedRun, 'state' | 'actions' | 'first' | 'pending'> {
  /** How the run ends with its first row; `undefined` if it continues. */
  end: RunState['end'];
}

interface FirstStep {
  shape: GraphShape;
  config: ConfigProfile;
  /** The serialized input, or the conversion error with which the run fails. */
  input: Conversion<Uint8Array>;
  /** Whether the run starts in this process. */
  isHere: boolean;
  origin: RunOrigin;
}

/**
 * Begins a run: records its input, config and origin, and starts its first step if the run starts here and is not a
 * stream.
 */
export function beginRun(
  { clock, ids }: Pick<AdmissionParts, 'clock' | 'ids'>,
  loaded: LoadedGraph,
  { shape, config, input, isHere, origin }: FirstStep,
): BegunRun {
  const state = newRunState(ids.executionId());
  const actions = new NextActions({ graph: loaded, shape, state, ids, now: () => clock.now() });
  const bytes = input.ok ? input.value : new Uint8Array();
  // A stream, or a run that starts elsewhere, has no first step yet.
  const hasStep = isHere && loaded.graph.mode !== 'pipeline';
  const { debugSessionId, invokedBy, startedBy } = origin;
  actions.note({
    type: 'admitted',
    config,
    // The first step also holds the input.
    ...(hasStep ? {} : { input: bytes }),
    ...(debugSessionId === undefined ? {} : { debugSessionId }),
    ...(invokedBy === undefined ? {} : { invokedBy }),
    ...(startedBy === undefined ? {} : { startedBy }),
  });
  if (!input.ok) {
    const { message } = input.error;
    actions.abort({ status: 'FAILED', message, failureKind: 'INPUT_INVALID' });
  } else if (hasStep) {
    actions.start(bytes);
  }
  const { first, pending } = firstRow(actions.take(), bytes);
  return { state, actions, first, pending, end: pending.length === 0 ? state.end : undefined };
}

/**
 * Splits the entries into the first row and the rest. Mocks may complete steps up to a branch that exceeds the quota,
 * which fails the run, not its admission. The first row then contains no result of a mock: a takeover continues from
 * open calls, and there may be none. Without those results, a takeover restarts the run from its input, and the mocks
 * return the same results again.
 */
function firstRow(
  entries: JournalEntry[],
  input: Uint8Array,
): { first: JournalEntry[]; pending: JournalEntry[] } {
  const [admitted, ...rest] = entries;
  if (admitted?.type !== 'admitted' || !rest.some(({ type }) => type === 'branch_opened')) {
    return { first: entries, pending: [] };
  }
  return { first: [{ ...admitted, input }], pending: rest };
}
