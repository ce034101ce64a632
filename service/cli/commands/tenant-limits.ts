import type { Command } from 'commander';
import type { TenantLimits } from '../../store/tenants.ts';
import { UsageError } from '../output.ts';

/** The options of `svc tenant limits`: what each adjusts, and the least that it may be. */
const adjustable: readonly {
  limit: keyof TenantLimits;
  flag: string;
  unit: string;
  whole: boolean;
  least: number;
}[] = [
  { limit: 'rps', flag: '--rps', unit: 'requests a second over all routes', whole: false, least: 0 },
  { limit: 'burst', flag: '--burst', unit: 'requests above --rps at once', whole: true, least: 1 },
  { limit: 'invocationRps', flag: '--invocation-rps', unit: 'invocations a second', whole: false, least: 0 },
  {
    limit: 'invocationBurst',
    flag: '--invocation-burst',
    unit: 'invocations above that at once',
    whole: true,
    least: 1,
  },
  {
    limit: 'dailyInvocations',
    flag: '--daily-invocations',
    unit: 'invocations a UTC day',
    whole: true,
    least: 0,
  },
  {
    limit: 'dailyExecutions',
    flag: '--daily-executions',
    unit: 'executions a UTC day',
    whole: true,
    least: 0,
  },
  { limit: 'inflight', flag: '--inflight', unit: 'executions at once', whole: true, least: 0 },
];

/** Adds an option for every limit that the operator may adjust. */
export function limitOptions(command: Command): Command {
  for (const { flag, unit } of adjustable) command.option(`${flag} <number>`, unit);
  return command;
}

/**
 * The limits with the given options applied; `default` takes an adjustment back.
 * @throws UsageError naming the option and what it must be.
 */
export function readLimits(current: TenantLimits, options: Readonly<Record<string, unknown>>): TenantLimits {
  const limits = { ...current };
  for (const { limit, flag, whole, least } of adjustable) {
    const given = options[limit];
    if (typeof given !== 'string') continue;
    if (given === 'default') {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a limit that is absent is the default
      delete limits[limit];
      continue;
    }
    const number = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
    const fits = whole ? Number.isSafeInteger(number) : number > 0 && number <= 1e9;
    if (!fits || number < least) {
      const what = whole ? `a whole number of at least ${least}` : 'a number above 0';
      throw new UsageError(`${flag} must be ${what}, or "default", not "${given}"`);
    }
    limits[limit] = number;
  }
  return limits;
}
