/** Statuses of a pause. All but `WAITING` are final. */
export const pauseStatuses = ['WAITING', 'RESUMED', 'EXPIRED', 'CANCELLED'] as const;

/** The status of a pause. `EXPIRED`: no decision came in time. `CANCELLED`: its run ended first. */
export type PauseStatus = (typeof pauseStatuses)[number];
