import { markdownTable } from '../report.ts';
import type { Comparison, LanguageRow } from './compare.ts';
import type { Cost } from './process-times.ts';

/**
 * Returns the comparison as a Markdown section of docs/benchmarks.md. `absent` contains the reasons for omissions by
 * name.
 */
export function peerTables(comparisons: readonly Comparison[], absent: readonly string[]): string {
  return [
    '## Other generators',
    'All generators build SDKs for the same package: svc from its .proto files, the others from the OpenAPI document that svc ' +
      'serves for it (without code samples). *process* is the time of a whole process, the median of the rounds; each round runs ' +
      'every generator. An svc process compiles the .proto files, builds the model and writes archives; the others write plain ' +
      'files. *warm* is a build in a process that has built before, either with the threads that the service uses (one per ' +
      'processor, at most four) or with one thread, one language after the other; *warm ms* is the time of one language in that ' +
      'thread. For openapi-generator, it is the last round of one JVM that builds the same SDKs repeatedly, one after the other. ' +
      '*CPU* is the processor time of all threads and child processes; other work on the machine affects it less. To repeat: ' +
      '`npm run bench:peers -- --write`, which installs the other generators in a cache folder outside the project.',
    ...(absent.length > 0 ? [`Left out: ${absent.join('; ')}.`] : []),
    ...comparisons.map(setTable),
    ...comparisons.map(({ nodes, rows }) => languageTable(nodes, rows)),
    '*lines* and *zip* count everything that a generator writes; for svc this includes documents, tests, an example for each node ' +
      'and the runtime. *dependencies* are the direct runtime dependencies that the package declares. *warnings* are warnings ' +
      'printed by the generator, in lines. Cells are empty where the time ran out.',
  ].join('\n\n');
}

function setTable({ nodes, languages, rounds, set }: Comparison): string {
  const roundsText = rounds === 1 ? 'one round' : `${rounds} rounds`;
  const [warm, oneThread, process] = set.filter(({ own }) => own).map(({ cost }) => cost);
  return [
    `The set of ${languages.length} languages (${languages.join(', ')}), ${nodes} nodes, ${roundsText}:`,
    markdownTable(
      ['', 'ms', 'CPU ms', 'ms : svc, process', 'ms : svc, one thread', 'ms : svc, warm', 'CPU : svc, warm'],
      set.map(({ name, cost, own }) => [
        name,
        cost.ms.toFixed(0),
        cost.cpuMs.toFixed(0),
        own ? '' : ratio(cost, process, 'ms'),
        own ? '' : ratio(cost, oneThread, 'ms'),
        own ? '' : `**${ratio(cost, warm, 'ms')}**`,
        own ? '' : ratio(cost, warm, 'cpuMs'),
      ]),
    ),
  ].join('\n\n');
}

function languageTable(nodes: number, rows: readonly LanguageRow[]): string {
  return [
    `By language, ${nodes} nodes:`,
    markdownTable(
      [
        'language',
        'generator',
        'process ms',
        'CPU ms',
        'warm ms',
        'files',
        'lines',
        'zip',
        'dependencies',
        'warnings',
      ],
      rows.map(({ language, generator, process, warm, size, warnings }) => [
        language,
        generator,
        process?.ms.toFixed(0) ?? '',
        process?.cpuMs.toFixed(0) ?? '',
        warm?.ms.toFixed(1) ?? '',
        String(size.files),
        String(size.lines),
        `${(size.zippedBytes / 1024).toFixed(0)} KiB`,
        size.dependencies === undefined ? '' : String(size.dependencies),
        process === undefined ? '' : String(warnings),
      ]),
    ),
  ].join('\n\n');
}

function ratio(cost: Cost, own: Cost | undefined, unit: keyof Cost): string {
  return own === undefined ? '' : (cost[unit] / own[unit]).toFixed(1);
}
