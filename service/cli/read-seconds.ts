import { UsageError } from './output.ts';

/** Reads the value of `--timeout`. The service checks its range. */
export function readSeconds(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--timeout must be a whole number of seconds from 1, not "${text}"`);
}
