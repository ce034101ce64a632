import { isoTime } from '../../clock.ts';
import type { SecretRecord } from '../../store/secrets.ts';

/** Name and state of a secret on the wire (SPEC.md, Secret metadata); what it is stays sealed. @param now epoch milliseconds */
export function presentSecret(
  { name, createdAt, updatedAt, armedUntil }: Omit<SecretRecord, 'sealed'>,
  now: number,
): { name: string; created_at: string; updated_at: string; armed: boolean; armed_expires_at: string | null } {
  const armed = armedUntil !== null && armedUntil > now;
  return {
    name,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    armed,
    armed_expires_at: armed ? isoTime(armedUntil) : null,
  };
}
