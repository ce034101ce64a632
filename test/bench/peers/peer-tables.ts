import { markdownTable } from '../report.ts';
import type { Comparison, LanguageRow, SetTimes } from './compare.ts';

/** The comparison as a Markdown section of docs/benchmarks.md. `absent` says by name what was left out, and why. */
export function peerTables(comparisons: readonly Comparison[], absent: readonly string[]): string {
  return [
    '## Other generators',
    'The same package for all: svc makes SDKs of its .proto texts, the others of the OpenAPI document that svc has for it ' +
      '(without code samples). *process* is a whole process from start to end, the median of the rounds, in each of which all ' +
      'take their turn; those of svc compile the .proto texts, make the model and write archives, the others write loose ' +
      'files. *warm* is a build in a process that has built clients of the package before, as the service has them. Again: ' +
      '`npm run bench:peers -- --write`, which puts the others into a cache folder outside of the project.',
    ...(absent.length > 0 ? [`Left out here: ${absent.join('; ')}.`] : []),
    ...comparisons.map(({ nodes, rounds, set }) => setText(nodes, rounds, set)),
    ...comparisons.map(({ nodes, rows }) => languageTable(nodes, rows)),
    'SDKs of svc hold documents, tests, an example for each node and the whole runtime; *lines* and *zip* count all that a ' +
      'generator writes. *dependencies* are those that the package takes on directly to run. *warnings* are lines in which ' +
      'the generator itself warns that it leaves something out.',
  ].join('\n\n');
}

function setText(nodes: number, rounds: number, set: SetTimes): string {
  const peers: [name: string, ms: number | undefined][] = [
    ['openapi-generator, a process for each', set.processesMs],
    ['openapi-generator, one process (`batch`)', set.batchMs],
    ['openapi-generator, warm library', set.libraryMs],
  ];
  const rows = peers.flatMap(([name, ms]) =>
    ms === undefined
      ? []
      : [[name, ms.toFixed(0), times(ms, set.ownProcessMs), `**${times(ms, set.ownWarmMs)}**`]],
  );
  const roundsText = rounds === 1 ? 'one round' : `${rounds} rounds`;
  return [
    `The set of ${set.languages.length} languages (${set.languages.join(', ')}), ${nodes} nodes, ${roundsText}:`,
    markdownTable(
      ['', 'ms', 'times svc, process', 'times svc, warm'],
      [
        ['svc, one process', set.ownProcessMs.toFixed(0), '', ''],
        ['svc, warm', set.ownWarmMs.toFixed(0), '', ''],
        ...rows,
      ],
    ),
  ].join('\n\n');
}

function languageTable(nodes: number, rows: readonly LanguageRow[]): string {
  return [
    `By language, ${nodes} nodes:`,
    markdownTable(
      ['language', 'generator', 'process ms', 'warm ms', 'files', 'lines', 'zip', 'dependencies', 'warnings'],
      rows.map(({ language, generator, processMs, warmMs, size, warnings }) => [
        language,
        generator,
        processMs.toFixed(0),
        warmMs === undefined ? '' : warmMs.toFixed(1),
        String(size.files),
        String(size.lines),
        `${(size.zippedBytes / 1024).toFixed(0)} KiB`,
        size.dependencies === undefined ? '?' : String(size.dependencies),
        String(warnings),
      ]),
    ),
  ].join('\n\n');
}

function times(ms: number, ownMs: number): string {
  return (ms / ownMs).toFixed(1);
}
