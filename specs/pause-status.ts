/** Statuses of a pause. All but `WAITING` are final. */
export const pauseStatuses = ['WAITING', 'RESUMED', 'EXPIRED', 'CANCELLED'] as const;

export type PauseStatus = (typeof pauseStatuses)[number];
