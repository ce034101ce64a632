import { z } from 'zod';

/** A query parameter that is `true` or `false`, by default `false`. */
export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((text) => text === 'true');
