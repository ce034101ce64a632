import { readFileSync } from 'node:fs';
import { runToEnd } from './run-to-end.ts';

/** A program that is started without a shell. */
export interface Command {
  file: string;
  args: readonly string[];
  /** In addition to the environment of this process. */
  env?: Readonly<Record<string, string>>;
  /** Time limit in milliseconds, by default two minutes. */
  mostMs?: number;
}

export interface Run {
  /** From the start of the process to its end, milliseconds. */
  ms: number;
  /** Processor time of the process and its children in milliseconds, with a resolution of 10 ms; on Linux only, elsewhere NaN. */
  cpuMs: number;
  /** Its entire output. */
  output: string;
}

const usualMostMs = 120_000;

/** Runs a program and waits for its exit. @throws Error with the end of its output if it fails or hangs */
export function runProgram(command: Command): Run {
  const cpuBefore = childrenCpuMs();
  const startedAt = performance.now();
  const { passed, output } = runToEnd({ mostMs: usualMostMs, ...command });
  const ms = performance.now() - startedAt;
  if (!passed) throw new Error(`${command.file} fails: ${output.trim().slice(-600)}`);
  return { ms, cpuMs: childrenCpuMs() - cpuBefore, output };
}

/** Processor time of all children that have exited. Linux always counts in hundredths of a second. */
function childrenCpuMs(): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Counted after the name, which may contain spaces: state is field 3, cutime 16, cstime 17.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}
