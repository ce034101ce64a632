import { markdownTable } from '../report.ts';
import type { Comparison, LanguageRow } from './compare.ts';
import type { Cost } from './process-times.ts';

/** The comparison as a Markdown section of docs/benchmarks.md. `absent` says by name what was left out, and why. */
export function peerTables(comparisons: readonly Comparison[], absent: readonly string[]): string {
  return [
    '## Other generators',
    'The same package for all: svc makes SDKs of its .proto texts, the others of the OpenAPI document that svc has for it ' +
      '(without code samples). *process* is a whole process from start to end, the median of the rounds, in each of which all ' +
      'take their turn; those of svc compile the .proto texts, make the model and write archives, the others write loose ' +
      'files. *warm* is a build in a warm process: by the threads of the service, one for each processor up to four, and one language ' +
      'after the other in one thread, where *warm ms* of a language is measured. For the library of openapi-generator it is ' +
      'the last round of one JVM that makes the same SDKs repeatedly, one after the other. *CPU* is processor time of all threads and children, ' +
      'which depends less on other work of the machine. To repeat: `npm run bench:peers -- --write`, which installs the others in ' +
      'a cache folder outside of the project.',
    ...(absent.length > 0 ? [`Left out: ${absent.join('; ')}.`] : []),
    ...comparisons.map(setTable),
    ...comparisons.map(({ nodes, rows }) => languageTable(nodes, rows)),
    '*lines* and *zip* count all that a generator writes; of svc these are documents, tests, an example for each node and the ' +
      'runtime too. *dependencies* are those that the package takes on directly to run, where it says so. *warnings* are lines ' +
      'in which the generator itself warns. Empty cells were not measured before time ran out.',
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
