import type { DailyCaps, Quota } from './run-operation.ts';

/** What a tenant has used of one day's quotas; drawn from while a commit is put together. */
export interface DailyUsage {
  invocations: number;
  executions: number;
}

/**
 * Takes units of both quotas, all of them or none.
 *
 * @returns the quota that is exhausted, or `undefined` when all were taken
 */
export function drawDaily(usage: DailyUsage, wanted: DailyUsage, caps: DailyCaps): Quota | undefined {
  for (const quota of ['invocations', 'executions'] as const) {
    if (wanted[quota] > 0 && usage[quota] + wanted[quota] > caps[quota]) return quota;
  }
  usage.invocations += wanted.invocations;
  usage.executions += wanted.executions;
  return undefined;
}

/** Key of a tenant's day among others of a commit. */
export function usageKey(tenantId: string, day: number): string {
  return `${day} ${tenantId}`;
}
