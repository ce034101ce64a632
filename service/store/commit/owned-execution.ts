import type { Execution, OwnedExecution } from '../executions.ts';
import type { Admission } from './run-operation.ts';

/** Returns the record of an admitted run. */
export function ownedRun({ execution, owner, topic, fork }: Admission): OwnedExecution {
  return {
    ...execution,
    owner,
    wakeAt: fork?.releaseUntil ?? null,
    topic: topic?.session ?? null,
    topicAppKey: topic?.appKey ?? null,
  };
}

/** Returns the record of a branch. A branch has no owner of its own: its run is owned. */
export function ownedBranch(execution: Execution): OwnedExecution {
  return { ...execution, owner: null, wakeAt: null, topic: null, topicAppKey: null };
}
