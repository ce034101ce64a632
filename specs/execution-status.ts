/** Statuses of an open execution. */
const openStatuses = ['QUEUED', 'RUNNING'] as const;

/** Statuses of an execution that has ended. An ended execution never changes again. */
const terminalStatuses = ['COMPLETED', 'FAILED', 'CANCELLED', 'FORKED'] as const;

/** Every status of an execution. The HTTP API, the database and the engine derive their types from this list. */
export const executionStatuses = [...openStatuses, ...terminalStatuses] as const;

/** The status of a run, a branch or a direct call. */
export type ExecutionStatus = (typeof executionStatuses)[number];
/** The status of an execution that has ended. `FORKED`: a fork continues the run. */
export type TerminalStatus = (typeof terminalStatuses)[number];
/** How a direct call or a branch of a run ends. Only whole runs are forked. */
export type EndStatus = Exclude<TerminalStatus, 'FORKED'>;
