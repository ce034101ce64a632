import type { Command } from 'commander';
import { limits as defaults } from '../../../specs/limits.ts';
import type { TenantLimits } from '../../store/tenants.ts';
import { UsageError } from '../output.ts';

/** The largest value of a rate, in requests per second. */
const mostPerSecond = 1e9;

/** The options of `svc tenant limits`, with the smallest value of each. */
const adjustable: readonly {
  limit: keyof TenantLimits;
  flag: string;
  description: string;
  /** The default; undefined if there is no limit. */
  standard: number | undefined;
  whole: boolean;
  least: number;
}[] = [
  {
    limit: 'rps',
    flag: '--rps',
    description: 'requests per second over all routes',
    standard: defaults.tenantRate.rps,
    whole: false,
    least: 0,
  },
  {
    limit: 'burst',
    flag: '--burst',
    description: 'requests in one burst',
    standard: defaults.tenantRate.burst,
    whole: true,
    least: 1,
  },
  {
    limit: 'invocationRps',
    flag: '--invocation-rps',
    description: 'invocations per second',
    standard: defaults.invocationRate.rps,
    whole: false,
    least: 0,
  },
  {
    limit: 'invocationBurst',
    flag: '--invocation-burst',
    description: 'invocations in one burst',
    standard: defaults.invocationRate.burst,
    whole: true,
    least: 1,
  },
  {
    limit: 'dailyInvocations',
    flag: '--daily-invocations',
    description: 'invocations per UTC day',
    standard: defaults.dailyInvocations,
    whole: true,
    least: 0,
  },
  {
    limit: 'dailyExecutions',
    flag: '--daily-executions',
    description: 'executions per UTC day',
    standard: defaults.dailyExecutions,
    whole: true,
    least: 0,
  },
  {
    limit: 'inflight',
    flag: '--inflight',
    description: 'concurrent runs',
    standard: undefined,
    whole: true,
    least: 1,
  },
];

const unlimited = 'unlimited';

/** Adds an option for each limit that the operator can adjust. */
export function limitOptions(command: Command): Command {
  for (const { flag, description, standard } of adjustable) {
    command.option(`${flag} <number>`, `${description} (default: ${standard ?? unlimited})`);
  }
  return command;
}

/**
 * Returns the limits with the options applied. The value `default` restores a default.
 * @throws UsageError for an invalid value
 */
export function readLimits(current: TenantLimits, options: Readonly<Record<string, unknown>>): TenantLimits {
  const limits = { ...current };
  for (const { limit, flag, standard, whole, least } of adjustable) {
    const given = options[limit];
    if (typeof given !== 'string') continue;
    if (given === 'default') {
      // oxlint-disable-next-line typescript/no-dynamic-delete -- a limit that is absent is the default
      delete limits[limit];
      continue;
    }
    const number = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
    const fits = whole ? Number.isSafeInteger(number) : number > 0 && number <= mostPerSecond;
    if (!fits || number < least) {
      const what = whole
        ? `a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}`
        : `a number above 0 and at most ${mostPerSecond}`;
      const restored = standard === undefined ? '"default" for no limit' : '"default"';
      throw new UsageError(`${flag} must be ${what}, or ${restored}, not "${given}"`);
    }
    limits[limit] = number;
  }
  return limits;
}

/** Returns the adjusted limits by option name: `rps=7 burst=9`. */
export function adjustedLimits(limits: TenantLimits): string {
  const adjusted = adjustable.filter(({ limit }) => limits[limit] !== undefined);
  if (adjusted.length === 0) return 'default';
  return adjusted.map(({ limit, flag }) => `${flag.replace('--', '')}=${limits[limit]}`).join(' ');
}

/** Returns the effective limits by option name. */
export function limitsInForce(limits: TenantLimits): Record<string, string> {
  return Object.fromEntries(
    adjustable.map(({ limit, flag, standard }) => [
      flag.replace('--', ''),
      limits[limit]?.toString() ?? `${standard ?? unlimited} (default)`,
    ]),
  );
}
