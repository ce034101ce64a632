import type { z } from 'zod';
import type { storedConfig } from '../../../specs/operations/configs.ts';
import { isoTime } from '../../clock.ts';
import type { Config } from '../../store/configs.ts';

/** Presents a profile. Its content is the stored value itself, and numbers beyond 2^53 stay exact. */
export function presentConfig({ id, config, createdAt, updatedAt }: Config): z.input<typeof storedConfig> {
  return { config_id: id, config, created_at: isoTime(createdAt), updated_at: isoTime(updatedAt) };
}
