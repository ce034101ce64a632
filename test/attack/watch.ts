import { startScript } from './child.ts';
import type { Observation, WatchTarget } from './observation.ts';

/** A neighbour that calls a service at fixed times, from its own process. */
interface Watch {
  /** Returns all calls that were due until then, in epoch milliseconds. Those without a response count as failed. */
  seen(until: number): Observation[];
  /** Stops making calls. Resolves when all have been answered. */
  finish(): Promise<void>;
  kill(): Promise<void>;
}

export function watch(target: WatchTarget): Watch {
  const child = startScript('watch-neighbour', JSON.stringify(target));
  const observations: Observation[] = [];
  child.onLine((line) => {
    observations.push(JSON.parse(line) as Observation);
  });
  return {
    seen: (until) => {
      const seen = observations.filter(({ at }) => at < until).toSorted((a, b) => a.at - b.at);
      return [...seen, ...unanswered(seen, target.everyMs, until)];
    },
    finish: () => {
      child.process.stdin?.write('finish\n');
      return child.ended;
    },
    kill: () => child.kill(),
  };
}

/** Calls are due at fixed times, so a gap is a call without a response. */
function unanswered(seen: readonly Observation[], everyMs: number, until: number): Observation[] {
  const now = Date.now();
  const first = seen[0]?.at;
  if (first === undefined) return [];
  const answered = new Set(seen.map(({ at }) => Math.round((at - first) / everyMs)));
  const due = Math.ceil((until - first) / everyMs);
  return Array.from({ length: due }, (_, n) => n)
    .filter((n) => !answered.has(n))
    .map((n) => ({ at: first + n * everyMs, ms: now - first - n * everyMs, problem: 'no answer yet' }));
}
