import type { Database } from '../../service/store/database.ts';

/**
 * Returns the maximum difference between the clocks of a running service and of this process, in milliseconds: 0 on
 * SQLite. The service knows the clock of PostgreSQL only to within 250 ms and half the duration of a query, which is
 * seconds while the machine stalls: 2,000 ms allow for a stall of 3.5 seconds.
 */
export function clockErrorMs({ dialect }: Pick<Database, 'dialect'>): number {
  return dialect === 'sqlite' ? 0 : 2_000;
}
