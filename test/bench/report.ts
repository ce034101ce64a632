import { cpus, totalmem } from 'node:os';
import type { ArchiveTimes } from './archive-bench.ts';
import { type ArchiveGrowth, fewMembers, manyMembers } from './archive-growth.ts';
import type { BuildWait } from './build-bench.ts';
import type { CallRates } from './call-bench.ts';
import type { CommandTimes } from './command-bench.ts';
import type { SpecTimes } from './spec-bench.ts';

/** What the numbers were measured on. */
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
    'The time from a client version to an archive: model, names, views, templates, formatting, hashes, zip. *cold* includes the start ' +
      'of a thread, which loads everything. *warm* is a further build in the same thread; nothing of one build is kept for the next ' +
      '(decision 0036). *zip* is the part of archiver, which writes the archives, measured in turn with *warm*. `all` is ' +
      'the set of archives, one after the other, with one model; the goal is a ratio of at most 2 for 50 members.',
    markdownTable(
      ['members', 'language', 'files', 'size', 'cold ms', 'warm ms', 'warm/s', 'zip ms', 'warm : zip'],
      body,
    ),
    `Ten times the members, ${fewMembers} and ${manyMembers}, measured in turn, without the model; the goal is 10.5 times the time:`,
    growthTable(growth),
    `A running service needs **${wait.laterMs.toFixed(0)} ms** from the request to the last of ${wait.languages} archives of a client ` +
      `with ${wait.members} members (median; each client is new, every commit and archive is synced to the disk), and ` +
      `${wait.firstMs.toFixed(0)} ms for the first request after its start. The goal is 600 ms, warm, on 2 threads.`,
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
    'From a package version to the text of its OpenAPI document. *first* reads its descriptors, describes its types and writes a ' +
      'program for each node in every language; *warm* makes the document again when types and programs are known. The goal is ' +
      '20 ms warm at 200 nodes. The service keeps finished documents too, so it makes most of them once.',
    markdownTable(['nodes', 'size', 'first ms', 'warm ms', 'µs a node'], body),
  ].join('\n\n');
}

/** Commands as a Markdown section. */
export function commandSection({ rounds, commands, readyMs }: CommandTimes): string {
  const goalMs = 400;
  return [
    '## Commands',
    `Processor time of commands with that of the processes they start (median of ${rounds}), on the embedded database. The goal is ` +
      `${goalMs} ms for each.`,
    markdownTable(
      ['command', 'ms', 'of the goal'],
      commands.map(({ command, cpuMs }) => [
        `\`${command}\``,
        cpuMs.toFixed(0),
        `**${(cpuMs / goalMs).toFixed(2)}**`,
      ]),
    ),
    `\`svc serve\` accepts requests **${readyMs.toFixed(0)} ms** after its start with an empty data folder. The goal is 1,500 ms.`,
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
      'else, in a process of its own; *svc* also authenticates, limits rates, converts and checks messages, and records every ' +
      'execution in SQLite with fsync on before it answers. Load generator and node container share the machine.',
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

/** A table whose source reads as one too. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
