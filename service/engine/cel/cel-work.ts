import type { WorkMeter } from '../work/work-meter.ts';

/**
 * The meter of the evaluation in progress. One is enough: functions are planned once, and evaluations do not nest.
 */
export interface CelWork {
  meter: WorkMeter;
}
