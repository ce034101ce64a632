import { markdownTable } from '../report.ts';
import type { BundleRow } from './measure-bundles.ts';

/** What pages load, as a Markdown section. */
export function bundleTable(rows: readonly BundleRow[]): string {
  const body = rows.map(({ party, what, minified, gzip }) => [
    party,
    what,
    String(minified),
    `**${String(gzip)}**`,
  ]);
  return [
    '## What a page loads',
    'Modules of the SDK for browsers, bundled and minified by esbuild as an application would, in bytes. The goal is at most ' +
      '6,000 compressed for the core with streams and the beacon, of which 1,500 are kept for streams; one call stays as large as ' +
      'it is, however many others the client has. A call of ours brings along the codec of its messages (exact 64-bit integers, ' +
      'bytes, times, presence, checks of both directions) and the wait for its run. The other is the same operation of the same ' +
      'package, whose client posts what it is given and parses what comes: no retries, typed errors, timeouts or checks.',
    markdownTable(['party', 'module', 'minified', 'gzip'], body),
  ].join('\n\n');
}
