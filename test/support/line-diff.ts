/** Maximum number of printed lines per difference. */
const most = 40;

/**
 * Returns the difference between two texts for the message of a failed test: the lines from the first to the last
 * difference, `-` for expected and `+` for actual.
 */
export function lineDiff(expected: string, actual: string): string {
  const before = expected.split('\n');
  const after = actual.split('\n');
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const lines = [
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];
  const shown = lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} more`] : lines;
  return [`line ${start + 1}:`, ...shown].join('\n');
}
