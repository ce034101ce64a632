import type { Answer } from "./answer.ts";
import { objectOf, requiredText, textOf } from "./answer-object.ts";
import type { JsonObject } from "./codec/json.ts";

/** How far an execution is. A parked run is `RUNNING`. */
export type ExecutionStatus =
  | "QUEUED"
  | "RUNNING"
  | "COMPLETED"
  | "FAILED"
  | "CANCELLED"
  | "FORKED"
  | (string & {});

/** What the service keeps of an execution. */
export interface ExecutionRecord {
  readonly id: string;
  readonly status: ExecutionStatus;
  /** The flow that ran. */
  readonly graphId: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** Set when the execution has ended. */
  readonly completedAt: string | undefined;
  /** The record as it came, with all of its fields. */
  readonly fields: JsonObject;
}

/** Whether an execution has ended. */
export function isTerminal(status: ExecutionStatus): boolean {
  return ["COMPLETED", "FAILED", "CANCELLED", "FORKED"].includes(status);
}

/** Reads a record from its answer. Throws an `InvalidAnswerError`. */
export function readRecord(answer: Answer): ExecutionRecord {
  const fields = objectOf(answer);
  return {
    id: requiredText(fields, "execution_id", answer),
    status: requiredText(fields, "status", answer),
    graphId: textOf(fields, "graph_id"),
    createdAt: textOf(fields, "created_at"),
    updatedAt: textOf(fields, "updated_at"),
    completedAt: textOf(fields, "completed_at"),
    fields,
  };
}
