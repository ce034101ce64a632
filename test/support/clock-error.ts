import type { Database } from '../../service/store/database.ts';

/**
 * Returns how far the clock of a running service may be from that of this process, in milliseconds. On SQLite both are the same. The
 * clock of PostgreSQL is known only to within 250 ms and half of the time that a query takes, which is seconds while the machine
 * stands still: 2,000 ms allow for 3.5 seconds of that.
 */
export function clockErrorMs({ dialect }: Pick<Database, 'dialect'>): number {
  return dialect === 'sqlite' ? 0 : 2_000;
}
