import type { ActiveStep } from '../journal/state.ts';

/** Details of the end of an attempt. */
export interface StepEnd {
  mocked?: true;
  /** Progress frames of this attempt dropped by the rate limit. */
  progressDropped?: number;
}

/** Returns the end of a step, with the dropped progress of all its attempts. */
export function endOfAttempts({ progressDropped: before }: ActiveStep, end: StepEnd): StepEnd {
  const progressDropped = before + (end.progressDropped ?? 0);
  return progressDropped === 0 ? end : { ...end, progressDropped };
}
