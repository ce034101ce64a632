import type { WorkMeter } from '../work/work-meter.ts';

/** The meter of the evaluation under way. Functions are planned once, and evaluations do not nest. */
export interface CelWork {
  meter: WorkMeter;
}
