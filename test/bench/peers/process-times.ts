import { median } from '../statistics.ts';
import { type Command, type Run, runProgram } from './run-program.ts';

export interface Cost {
  /** Wall-clock and processor time, milliseconds. */
  ms: number;
  cpuMs: number;
}

/** Runs of programs by name within a time limit. */
export interface ProcessTimes {
  /** Reports whether another run may start. */
  hasTime(): boolean;
  /** Runs a program unless the time is over. A failing program is skipped from then on, for the reason in `failures`. */
  run(name: string, command: Command): Run | undefined;
  /** Medians of the runs with this name; undefined if there were none. */
  cost(name: string): Cost | undefined;
  /** Returns the last round of a program that prints its rounds as lines `round <ms> <processor ms>`. */
  lastRound(name: string): Cost | undefined;
  /** Number of warnings in the output of the last run. */
  warnings(name: string): number;
  failures(): string[];
}

export function createProcessTimes(budgetMs: number): ProcessTimes {
  const endsAt = performance.now() + budgetMs;
  const runs = new Map<string, Run[]>();
  const failed = new Map<string, string>();
  const hasTime = (): boolean => performance.now() < endsAt;
  return {
    hasTime,
    run: (name, command) => {
      if (!hasTime() || failed.has(name)) return undefined;
      try {
        const run = runProgram(command);
        runs.set(name, [...(runs.get(name) ?? []), run]);
        return run;
      } catch (error) {
        failed.set(name, error instanceof Error ? error.message : String(error));
        return undefined;
      }
    },
    cost: (name) => {
      const own = runs.get(name);
      return own && { ms: median(own.map(({ ms }) => ms)), cpuMs: median(own.map(({ cpuMs }) => cpuMs)) };
    },
    lastRound: (name) => {
      const output = runs.get(name)?.at(-1)?.output ?? '';
      const last = [...output.matchAll(/^round (\d+) (\d+)$/gm)].at(-1);
      return last && { ms: Number(last[1]), cpuMs: Number(last[2]) };
    },
    warnings: (name) => countWarnings(runs.get(name)?.at(-1)?.output ?? ''),
    failures: () => [...failed].map(([name, why]) => `${name} (${why.split('\n')[0]?.slice(0, 160) ?? ''})`),
  };
}

function countWarnings(output: string): number {
  return output.split('\n').filter((line) => /\bWARN(ING)?\b/.test(line)).length;
}
