import type { ActiveStep } from './run-state.ts';

/** How an attempt of a step ended, beyond its output. */
export interface StepEnd {
  mocked?: true;
  /** Progress frames of this attempt that the rate limit dropped. */
  progressDropped?: number;
}

/** The end of the step: attempts before may have dropped progress too. */
export function endOfAttempts({ progressDropped: before }: ActiveStep, end: StepEnd): StepEnd {
  const progressDropped = before + (end.progressDropped ?? 0);
  return progressDropped === 0 ? end : { ...end, progressDropped };
}
