import { isoTime } from '../../clock.ts';
import type { Config } from '../../store/configs.ts';

/** A config profile on the wire (DESIGN.md 7). */
export function presentConfig({ id, config, createdAt, updatedAt }: Config): object {
  return { config_id: id, config, created_at: isoTime(createdAt), updated_at: isoTime(updatedAt) };
}
