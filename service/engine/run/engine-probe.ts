import type { RunOperation } from '../../store/commit/run-operation.ts';

/**
 * Called at the points between which a run must survive the end of the process. It may delay the run or end the process. Only tests
 * set it.
 */
export type EngineProbe = (point: ProbePoint, detail: ProbeDetail) => unknown;

/** Before or after a batch of operations is committed, a step is called, or a page of history is copied to a fork. */
export type ProbePoint =
  'before_commit' | 'after_commit' | 'before_dispatch' | 'after_dispatch' | 'before_copy' | 'after_copy';

type ProbeDetail = readonly RunOperation[] | { executionId: string; step: number };
