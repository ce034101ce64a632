import type { Check } from './violation.ts';

/** Maximum growth in bytes from the first quarter of a soak to the last. */
const growthBytes = 100_000_000;

/** Minimum number of samples per quarter: fewer are not significant. */
const leastSamples = 10;

/**
 * The memory of a replica does not grow. Compares the minimum of each quarter, because builds need hundreds of MB for a
 * short time.
 */
export const memoryGrowth: Check = ({ memory }) =>
  [...Map.groupBy(memory, ({ replica }) => replica)].flatMap(([replica, samples]) => {
    const from = Math.min(...samples.map(({ at }) => at));
    const quarter = (Math.max(...samples.map(({ at }) => at)) - from) / 4;
    const first = samples.filter(({ at }) => at <= from + quarter).map(({ bytes }) => bytes);
    const last = samples.filter(({ at }) => at >= from + 3 * quarter).map(({ bytes }) => bytes);
    if (Math.min(first.length, last.length) < leastSamples) return [];
    const [before, after] = [Math.min(...first), Math.min(...last)];
    if (after - before <= growthBytes) return [];
    return [{ about: 'memory', text: `${replica} has grown from ${mb(before)} to ${mb(after)} MB` }];
  });

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
