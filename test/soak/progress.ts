import { excuseOf } from './checks/excuses.ts';
import type { History } from './history.ts';

/**
 * Updates a line on a terminal each second: the number of operations, of failed requests and unexplained ones among
 * them, and of faults so far. Returns a function that stops it.
 */
export function showProgress(history: History, seconds: number): () => void {
  if (!process.stderr.isTTY) return () => undefined;
  const started = Date.now();
  const timer = setInterval(() => {
    const operations = [...history.counts.values()].reduce((sum, count) => sum + count, 0);
    const failed = history.answers.filter(
      ({ status, expected }) => status === undefined || !expected.includes(status),
    );
    const odd = failed.filter((answer) => excuseOf(answer, history.harms) === undefined);
    const passed = Math.round((Date.now() - started) / 1_000);
    process.stderr.write(
      `\r${passed} of ${seconds} s: ${operations} operations, ${failed.length} failures, ${odd.length} of them unexpected, ${history.harms.length} harms \u001b[K`,
    );
  }, 1_000);
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\u001b[K');
  };
}
