import type { DailyCaps, Quota } from './run-operation.ts';

/** A tenant's use of its quotas on one day. A commit updates it in memory and stores it at the end. */
export interface DailyUsage {
  invocations: number;
  executions: number;
}

/**
 * Adds the wanted units to the usage, or none of them if a cap would be exceeded.
 *
 * @returns the exhausted quota, or `undefined` if the units were added
 */
export function drawUsage(usage: DailyUsage, wanted: DailyUsage, caps: DailyCaps): Quota | undefined {
  for (const quota of ['invocations', 'executions'] as const) {
    if (wanted[quota] > 0 && usage[quota] + wanted[quota] > caps[quota]) return quota;
  }
  usage.invocations += wanted.invocations;
  usage.executions += wanted.executions;
  return undefined;
}

/** Gives back the units that a refused operation drew. */
export function returnUnits(usage: DailyUsage, drawn: DailyUsage): void {
  usage.invocations -= drawn.invocations;
  usage.executions -= drawn.executions;
}

/** Key of a tenant and day in the maps of a commit. */
export function usageKey(tenantId: string, day: number): string {
  return `${day} ${tenantId}`;
}
