import type { JsonObject } from "./codec/json.ts";
import type { RawResponse } from "./response.ts";
import { objectOf, requiredText, textOf } from "./response-object.ts";

/** Status of an execution. A paused run is `RUNNING`. */
export type ExecutionStatus =
  | "QUEUED"
  | "RUNNING"
  | "COMPLETED"
  | "FAILED"
  | "CANCELLED"
  | "FORKED"
  | (string & {});

/** The state of an execution. */
export interface ExecutionRecord {
  readonly id: string;
  readonly status: ExecutionStatus;
  /** Id of the flow. */
  readonly graphId: string | undefined;
  /** Creation time in ISO 8601. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** End time; undefined until the execution ends. */
  readonly completedAt: string | undefined;
  /** Id of the pause that is waiting for a decision. */
  readonly pauseId: string | undefined;
  /** Id of the latest checkpoint. */
  readonly latestCheckpointId: string | undefined;
  /** Why the run failed. */
  readonly errorMessage: string | undefined;
  /** Placement in the flow at which the run failed. */
  readonly failedNodeName: string | undefined;
  /** The complete record as received. */
  readonly fields: JsonObject;
}

/** Reports whether an execution has ended. */
export function isTerminal(status: ExecutionStatus): boolean {
  return ["COMPLETED", "FAILED", "CANCELLED", "FORKED"].includes(status);
}

/** Reads an execution record. Throws an `InvalidResponseError`. */
export function readRecord(response: RawResponse): ExecutionRecord {
  const fields = objectOf(response);
  return {
    id: requiredText(fields, "execution_id", response),
    status: requiredText(fields, "status", response),
    graphId: textOf(fields, "graph_id"),
    createdAt: textOf(fields, "created_at"),
    updatedAt: textOf(fields, "updated_at"),
    completedAt: textOf(fields, "completed_at"),
    pauseId: textOf(fields, "pause_id"),
    latestCheckpointId: textOf(fields, "latest_checkpoint_id"),
    errorMessage: textOf(fields, "error_message"),
    failedNodeName: textOf(fields, "failed_node_name"),
    fields,
  };
}
