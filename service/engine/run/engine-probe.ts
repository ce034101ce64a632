import type { RunOperation } from '../../store/hot/run-operation.ts';

/**
 * Told of the moments between which a run must survive the end of the process; it may delay them or end it. Only a test's
 * composition root gives one.
 */
export type EngineProbe = (point: ProbePoint, detail: ProbeDetail) => unknown;

export type ProbePoint = 'before_commit' | 'after_commit' | 'before_dispatch' | 'after_dispatch';

export type ProbeDetail = readonly RunOperation[] | { executionId: string; step: number };
