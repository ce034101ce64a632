import type { FailureKind } from '../../specs/failure-kind.ts';
import type { ExecutionStatus } from '../../specs/execution-status.ts';
import type { Database, Tx } from './database.ts';
import { prepareFind } from './prepared/prepare-find.ts';
import { bigInteger, defineTable, flag, integer, nullable, text } from './table.ts';

/**
 * An accepted call. `commit/execution-writer.ts` writes direct node calls, and `commit/run-writer.ts` writes runs of flows and
 * their branches.
 */
export interface Execution {
  tenantId: string;
  /** 32 hex characters, ordered by time. */
  id: string;
  /** Flow runs only. */
  graphId: string | null;
  graphArtifactId: string | null;
  /** Direct node calls only: the node's ULID, and `<owner>/<package>/<version>/<node>`. */
  nodeId: string | null;
  nodeFqn: string | null;
  status: ExecutionStatus;
  errorMessage: string | null;
  /** The cause of a failure, if it is known. Runs that ended before migration 30 have it only in their journal. */
  failureKind: FailureKind | null;
  /** Runs and branches only: the id of the node that failed. */
  failedNode: string | null;
  createdAt: number;
  updatedAt: number;
  /** Terminal executions only. */
  completedAt: number | null;
  /** Branches only: the execution of the run. */
  lineageRootExecutionId: string | null;
  /** Forks only: the execution whose history the run continues. */
  forkedFromExecutionId: string | null;
  /** Runs only: whether nodes may mutate the graph, and the number of mutations. */
  mutationEnabled: boolean;
  mutationSeq: number;
  /** Number of mocked nodes in the graph. */
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
  failureKind: nullable(text()),
  failedNode: nullable(text()),
  createdAt: bigInteger(),
  updatedAt: bigInteger(),
  completedAt: nullable(bigInteger()),
  lineageRootExecutionId: nullable(text()),
  forkedFromExecutionId: nullable(text()),
  mutationEnabled: flag(),
  mutationSeq: integer(),
  mockedNodeCount: integer(),
});

/** The topic of a run. */
export interface RunTopic {
  /** Digest of the tenant and the debug session that the invocation named (`topicSession`): a name may be too long for an index. */
  session: string;
  /** Id of the app key that started the run. Absent for a full key. */
  appKey?: string | undefined;
}

/** An execution with the replica that owns its run and with its topic, as the commits of runs insert it. */
export interface OwnedExecution extends Execution {
  /** Open runs only. Empty if any replica may claim the run. */
  owner: string | null;
  /**
   * Unowned runs only: the time from which the run may be claimed, in epoch milliseconds. `null` if it may be claimed
   * immediately.
   */
  wakeAt: number | null;
  /** Runs with a topic only: its digest, and the id of its app key, if any. */
  topic: string | null;
  topicAppKey: string | null;
}

export const ownedExecutions = defineTable<OwnedExecution>('executions', {
  ...executions.columns,
  owner: nullable(text()),
  wakeAt: nullable(bigInteger()),
  topic: nullable(text()),
  topicAppKey: nullable(text()),
});

const find = prepareFind(executions, ['tenantId', 'id']);

/** Finds an execution of the tenant: a direct call, a run or a branch. Reads committed data, outside transactions. */
export async function findExecution(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Execution | undefined> {
  return find(db, [tenantId, id]);
}

/** Returns the `graph_id` of each of these executions. Omits unknown executions and those that are not runs. */
export async function graphIdsOf(
  tx: Tx,
  tenantId: string,
  executionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows: { id: string; graph_id: string }[] = await tx('executions')
    .select('id', 'graph_id')
    .where({ tenant_id: tenantId })
    .whereIn('id', [...new Set(executionIds)])
    .whereNotNull('graph_id');
  return new Map(rows.map(({ id, graph_id: graphId }) => [id, graphId]));
}
