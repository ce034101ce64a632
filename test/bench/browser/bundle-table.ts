import { markdownTable } from '../report.ts';
import type { BundlePart } from './measure-parts.ts';
import type { BundleRow } from './measure-bundles.ts';

/** Returns the bundle sizes of pages, and the parts of a call, as a Markdown section. */
export function bundleTable(rows: readonly BundleRow[], parts: readonly BundlePart[]): string {
  const body = rows.map(({ party, what, minified, gzip }) => [
    party,
    what,
    String(minified),
    `**${String(gzip)}**`,
  ]);
  return [
    '## What a page loads',
    'The size in bytes of modules of the browser SDK, bundled and minified by esbuild as an application would do it. The goal is ' +
      'at most 6,000 bytes compressed for the core with streams and the beacon, 1,500 of them for streams. The size of one ' +
      'call must not depend on how many calls the client has. A call with svc includes the codecs that its messages need, ' +
      'here lists, maps, oneofs, exact 64-bit integers, bytes and times, and checks its input and its output. The code that ' +
      'waits for a run beyond the first request is loaded on demand and not counted. _hey-api_ is the same operation with a ' +
      'client that posts the input and parses the response, without retries, typed errors, timeouts or checks.',
    markdownTable(['party', 'module', 'minified', 'gzip'], body),
    'One call whose messages contain only strings is at most 6,000 bytes compressed ([decision ' +
      '0060](decisions/0060-a-typescript-call-brings-only-what-it-uses.md)). Its parts:',
    markdownTable(['part of one call with string messages', 'minified', 'share'], partRows(parts)),
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
