import type { Terminal } from '../output.ts';

/**
 * Whether the demo keeps its service running at the end: as the flag says, or else if someone can stop it, that is, at a terminal
 * outside CI.
 */
export function keepsRunning({ env, stdin, stdout }: Terminal, keep: boolean | undefined): boolean {
  const inCi = (env.CI ?? '') !== '' && env.CI !== 'false';
  return keep ?? (stdin.isTTY === true && stdout.isTTY === true && !inCi);
}
