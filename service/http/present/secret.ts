import type { z } from 'zod';
import type { secretMetadata } from '../../../specs/operations/secrets.ts';
import { isoTime } from '../../clock.ts';
import type { SecretRecord } from '../../store/secrets.ts';

/**
 * Presents the name and the arming state of a secret, never its value.
 *
 * @param now epoch milliseconds
 */
export function presentSecret(
  { name, createdAt, updatedAt, armedUntil }: Omit<SecretRecord, 'sealed'>,
  now: number,
): z.input<typeof secretMetadata> {
  const armed = armedUntil !== null && armedUntil > now;
  return {
    name,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    armed,
    armed_expires_at: armed ? isoTime(armedUntil) : null,
  };
}
