import { systemClock } from '../clock.ts';
import { createIds } from '../ids.ts';

/**
 * Returns the JSON of a request that starts a run.
 *
 * @param input sent as written, so that numbers beyond 2^53 stay exact
 * @param settings the other fields; undefined ones are omitted
 */
export function runRequest(input: string, settings: object, idempotencyKey: string | undefined): string {
  // Without a key, identical requests within five minutes would start one run.
  const key = idempotencyKey ?? createIds(systemClock).ulid();
  return `{"input":${input},${JSON.stringify({ ...settings, idempotency_key: key }).slice(1)}`;
}
