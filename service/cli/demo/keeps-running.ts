import type { Terminal } from '../output.ts';

/**
 * Reports whether the demo keeps its service running at the end. Default: only at a terminal outside CI,
 * where a user can stop it.
 */
export function keepsRunning({ env, stdin, stdout }: Terminal, keep: boolean | undefined): boolean {
  const inCi = (env.CI ?? '') !== '' && env.CI !== 'false';
  return keep ?? (stdin.isTTY === true && stdout.isTTY === true && !inCi);
}
