import { excuseOf } from './checks/excuses.ts';
import { streamExcuse } from './checks/streams.ts';
import type { Violation } from './checks/violation.ts';
import { type HarmKind, harmKinds, type History } from './history.ts';

/** Maximum number of listed violations of one kind. */
const listed = 10;

/**
 * Returns a table of the operations with their counts, the failures that each fault explains, and the violations,
 * followed by a list of the violations.
 */
export function report(history: History, violations: readonly Violation[]): string {
  const failed = expectedFailures(history);
  const byName = Map.groupBy(violations, ({ about }) => about);
  const names = new Set([...history.counts.keys(), ...failed.keys(), ...byName.keys()]);
  const rows = [...names]
    .sort()
    .map((name) => [
      name,
      String(history.counts.get(name) ?? ''),
      ...harmKinds.map((kind) => String(failed.get(name)?.get(kind) ?? '')),
      String(byName.get(name)?.length ?? 0),
    ]);
  const harmed = harmKinds.map(
    (kind) => `${kind} ${history.harms.filter((harm) => harm.kind === kind).length}`,
  );
  const lists = [...byName].flatMap(([name, all]) => [
    `${name}: ${all.length} violations`,
    ...all.slice(0, listed).map(({ text }) => `  ${text.slice(0, 1_500)}`),
    ...(all.length > listed ? [`  and ${all.length - listed} more`] : []),
  ]);
  return [
    `harms: ${harmed.join(', ')}; acknowledged runs: ${history.runs.size}; requests: ${history.answers.length}`,
    '',
    ...table([['operation', 'count', ...harmKinds, 'violations'], ...rows]),
    ...(lists.length === 0 ? [] : ['', ...lists]),
  ].join('\n');
}

/** Counts the failures that faults explain, by operation and kind. */
function expectedFailures({ answers, streams, harms }: History): Map<string, Map<HarmKind, number>> {
  const failed = new Map<string, Map<HarmKind, number>>();
  const add = (operation: string, kind: HarmKind | undefined): void => {
    if (kind === undefined) return;
    const counts = failed.get(operation) ?? new Map<HarmKind, number>();
    failed.set(operation, counts.set(kind, (counts.get(kind) ?? 0) + 1));
  };
  for (const answer of answers) {
    if (answer.status === undefined || !answer.expected.includes(answer.status))
      add(answer.operation, excuseOf(answer, harms));
  }
  for (const stream of streams)
    if (stream.end === 'cut' || stream.end === 'error') add(stream.operation, streamExcuse(stream, harms));
  return failed;
}

/** Aligns the first column to the left, and numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
