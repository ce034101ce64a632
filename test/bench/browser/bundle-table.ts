import { markdownTable } from '../report.ts';
import type { BundlePart } from './measure-parts.ts';
import type { BundleRow } from './measure-bundles.ts';

/** The bundle sizes of pages, and what a call is made of, as a Markdown section. */
export function bundleTable(rows: readonly BundleRow[], parts: readonly BundlePart[]): string {
  const body = rows.map(({ party, what, minified, gzip }) => [
    party,
    what,
    String(minified),
    `**${String(gzip)}**`,
  ]);
  return [
    '## What a page loads',
    'Modules of the SDK for browsers, bundled and minified by esbuild as an application would, in bytes. The goal is ' +
      'at most 6,000 compressed for the core with streams and the beacon, including 1,500 for streams; the size of one ' +
      'call does not depend on the number of calls of the client. A call of svc includes the codecs that its messages ' +
      'use, here lists, maps, oneofs, exact 64-bit integers, bytes and times, with checks of both directions. The wait ' +
      'for a run that outlasts its first request loads on demand and is not counted. The other is the same operation of ' +
      'the same package by a client that posts its input and parses the answer, without retries, typed errors, timeouts ' +
      'or checks.',
    markdownTable(['party', 'module', 'minified', 'gzip'], body),
    'One call with messages of strings is at most 6,000 bytes compressed ([decision ' +
      '0060](decisions/0060-a-typescript-call-brings-only-what-it-uses.md)). Its parts:',
    markdownTable(['part of one call with messages of strings', 'minified', 'share'], partRows(parts)),
  ].join('\n\n');
}

function partRows(parts: readonly BundlePart[]): string[][] {
  const total = parts.reduce((sum, { minified }) => sum + minified, 0);
  return parts.map(({ name, minified }) => [
    name,
    String(minified),
    `${((100 * minified) / total).toFixed(0)} %`,
  ]);
}
