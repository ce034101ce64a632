import { cpus, totalmem } from 'node:os';
import type { ArchiveTimes } from './archive-bench.ts';
import { type ArchiveGrowth, fewMembers, manyMembers } from './archive-growth.ts';
import type { BuildWait } from './build-bench.ts';
import type { CallRates } from './call-bench.ts';
import type { CommandTimes } from './command-bench.ts';
import type { SpecTimes } from './spec-bench.ts';

/** Describes the machine on which the numbers were measured. */
export function machine(): string {
  const processors = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, ${processors.length} x ${processors[0]?.model ?? 'unknown'}, ${gib} GiB.`;
}

/** Archives as a Markdown section. */
export function archiveSection(
  rows: readonly ArchiveTimes[],
  growth: readonly ArchiveGrowth[],
  wait: BuildWait,
): string {
  const body = rows.map((row) => [
    String(row.members),
    row.language,
    String(row.files),
    `${(row.archiveBytes / 1024).toFixed(0)} KiB`,
    row.coldMs.toFixed(0),
    row.warmMs.toFixed(1),
    (1000 / row.warmMs).toFixed(1),
    row.zipMs.toFixed(1),
    `**${(row.warmMs / row.zipMs).toFixed(2)}**`,
  ]);
  return [
    '## SDK archives',
    'The time it takes to turn a client version into an archive: model, names, views, templates, formatting, hashes and zip. *cold* ' +
      'includes starting a thread, which loads everything. *warm* is a later build in the same thread; nothing is kept from one ' +
      'build to the next (decision 0036). *zip* is the time that archiver takes on its own to write the same files, measured ' +
      'alternately with *warm*. `all` builds the archives of every language, one after the other, from one model; the goal is a ratio of at most 2 ' +
      'for 50 members.',
    markdownTable(
      ['members', 'language', 'files', 'size', 'cold ms', 'warm ms', 'warm/s', 'zip ms', 'warm : zip'],
      body,
    ),
    `How the time grows from ${fewMembers} to ${manyMembers} members, without the model. For ten times the members, the goal is ` +
      'at most 10.5 times the time:',
    growthTable(growth),
    `In a running service, the last of the ${wait.languages} archives of a client with ${wait.members} members is ready ` +
      `**${wait.warmMs.toFixed(0)} ms** after the request (median after five builds; each client is new, every commit and archive ` +
      'is synced to disk, and the tenant asks every 25 ms whether an archive is ready). The first request after a start takes ' +
      `${wait.firstMs.toFixed(0)} ms, the second ${wait.secondMs.toFixed(0)} ms. The goal is 600 ms, warm, with 2 threads.`,
  ].join('\n\n');
}

function growthTable(growth: readonly ArchiveGrowth[]): string {
  return markdownTable(
    ['language', `${fewMembers} members ms`, `${manyMembers} members ms`, 'times'],
    growth.map(({ language, fewMs, manyMs }) => [
      language,
      fewMs.toFixed(1),
      manyMs.toFixed(1),
      `**${(manyMs / fewMs).toFixed(1)}**`,
    ]),
  );
}

/** OpenAPI documents as a Markdown section. */
export function specTable(rows: readonly SpecTimes[]): string {
  const body = rows.map(({ nodes, bytes, firstMs, warmMs }) => [
    String(nodes),
    `${(bytes / 1024).toFixed(0)} KiB`,
    firstMs.toFixed(1),
    `**${warmMs.toFixed(1)}**`,
    ((1000 * warmMs) / nodes).toFixed(0),
  ]);
  return [
    '## OpenAPI documents',
    'The time it takes to turn a package version into the text of its OpenAPI document. *first* reads the descriptors, describes ' +
      'the types and writes a sample program for each node in every language; *warm* writes the document again from known types ' +
      'and programs. The goal is 20 ms, warm, for 200 nodes. The service also keeps finished documents, so it writes most of them once.',
    markdownTable(['nodes', 'size', 'first ms', 'warm ms', 'µs per node'], body),
  ].join('\n\n');
}

/** Commands as a Markdown section. */
export function commandSection({ rounds, commands, readyMs }: CommandTimes): string {
  const goalMs = 400;
  return [
    '## Commands',
    `Processor time of each command and the processes it starts, with the embedded database (median of ${rounds} runs). The goal ` +
      `is ${goalMs} ms per command.`,
    markdownTable(
      ['command', 'ms', 'of the goal'],
      commands.map(({ command, cpuMs }) => [
        `\`${command}\``,
        cpuMs.toFixed(0),
        `**${(cpuMs / goalMs).toFixed(2)}**`,
      ]),
    ),
    `With an empty data folder, \`svc serve\` accepts requests **${readyMs.toFixed(0)} ms** after it starts. The goal is 1,500 ms.`,
  ].join('\n\n');
}

/** Node calls as a Markdown section. */
export function callTable({ connections, bare, service }: CallRates): string {
  const rate = (one: { perSecond: number; p50Ms: number; p99Ms: number }): string[] => [
    one.perSecond.toFixed(0),
    one.p50Ms.toFixed(1),
    one.p99Ms.toFixed(1),
  ];
  return [
    '## Node calls',
    `One unary node over HTTP, ${connections} connections. *bare* is the same gRPC call behind a Koa handler that does nothing ` +
      'else, in a separate process; *svc* also authenticates, enforces rate limits, converts and checks messages, and records every ' +
      'execution in SQLite, synced to disk, before it responds. The load generator and the node container run on the same machine.',
    markdownTable(
      ['', 'calls/s', 'p50 ms', 'p99 ms'],
      [
        ['bare', ...rate(bare)],
        ['svc', ...rate(service)],
      ],
    ),
    `svc : bare = **${(service.perSecond / bare.perSecond).toFixed(2)}**`,
  ].join('\n\n');
}

/** Returns a table that is also readable as source. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
