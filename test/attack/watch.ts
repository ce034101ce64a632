import { startScript } from './child.ts';
import type { Observation, WatchTarget } from './observation.ts';

/** A neighbour that calls a service at fixed times, from a process of its own. */
interface Watch {
  /** All calls that were due until then, epoch milliseconds. Those without an answer have failed. */
  seen(until: number): Observation[];
  /** Makes no further calls. Resolves when all are answered. */
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

/** Calls are due at fixed times: a gap is a call without an answer. */
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
