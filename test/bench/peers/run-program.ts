import { readFileSync } from 'node:fs';
import { runToEnd } from './run-to-end.ts';

/** A program to start, without a shell. */
export interface Command {
  file: string;
  args: readonly string[];
  /** Beside the environment of this process. */
  env?: Readonly<Record<string, string>>;
  /** Limit after which it counts as hanging, in milliseconds: two minutes unless it says otherwise. */
  mostMs?: number;
}

export interface Run {
  /** From the start of the process to its end, milliseconds. */
  ms: number;
  /** Processor time of it and of those it started, milliseconds, by the hundredth of a second; on Linux alone, elsewhere NaN. */
  cpuMs: number;
  /** All that it printed. */
  output: string;
}

const usualMostMs = 120_000;

/** Runs a program to its end. @throws Error with the end of its output when it fails or hangs */
export function runProgram(command: Command): Run {
  const cpuBefore = childrenCpuMs();
  const startedAt = performance.now();
  const { passed, output } = runToEnd({ mostMs: usualMostMs, ...command });
  const ms = performance.now() - startedAt;
  if (!passed) throw new Error(`${command.file} fails: ${output.trim().slice(-600)}`);
  return { ms, cpuMs: childrenCpuMs() - cpuBefore, output };
}

/** Processor time of all children that have ended. Linux always counts in hundredths of a second. */
function childrenCpuMs(): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name, which may hold blanks: state is field 3, cutime 16, cstime 17.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}
