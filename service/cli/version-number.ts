import { UsageError } from './output.ts';

/** Reads the version of a client from the option `--version`. */
export function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--version must be a number from 1, not "${text}"`);
}
