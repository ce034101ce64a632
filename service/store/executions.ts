import type { Tx } from './database.ts';
import { findRecord } from './records.ts';
import { defineTable, flag, integer, nullable, text } from './table.ts';

export type ExecutionStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'FORKED';

/**
 * One accepted call (SPEC.md, Execution record). Node calls are written by `hot/execution-writer.ts`,
 * runs of flows and their branches by `hot/run-writer.ts`.
 */
export interface Execution {
  tenantId: string;
  /** 32 hex characters, in order of time. */
  id: string;
  /** Flow runs; `null` for a direct node call. */
  graphId: string | null;
  graphArtifactId: string | null;
  /** Direct node calls: the node's ULID, and `<owner>/<package>/<version>/<node>`. */
  nodeId: string | null;
  nodeFqn: string | null;
  status: ExecutionStatus;
  errorMessage: string | null;
  createdAt: number;
  updatedAt: number;
  /** Terminal executions only. */
  completedAt: number | null;
  /** A branch of a run: the run's own execution. */
  lineageRootExecutionId: string | null;
  /** Runs only: whether nodes may grow the graph, and how often they have. */
  mutationEnabled: boolean;
  mutationSeq: number;
  /** Nodes of the graph that answer from authoring fixtures. */
  mockedNodeCount: number;
}

export const executions = defineTable<Execution>('executions', {
  tenantId: text(),
  id: text(),
  graphId: nullable(text()),
  graphArtifactId: nullable(text()),
  nodeId: nullable(text()),
  nodeFqn: nullable(text()),
  status: text(),
  errorMessage: nullable(text()),
  createdAt: integer(),
  updatedAt: integer(),
  completedAt: nullable(integer()),
  lineageRootExecutionId: nullable(text()),
  mutationEnabled: flag(),
  mutationSeq: integer(),
  mockedNodeCount: integer(),
});

export async function findExecution(tx: Tx, tenantId: string, id: string): Promise<Execution | undefined> {
  return findRecord(tx, executions, { tenantId, id });
}
