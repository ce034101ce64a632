import { markdownTable } from '../report.ts';
import type { SdkTimes } from './measure-sdks.ts';

/** What SDKs cost, as a Markdown section. */
export function sdkTable(rows: readonly SdkTimes[], pythonImportMs: number | undefined): string {
  const body = rows.map(({ language, bareClient, calls, bareUs, sdkUs }) => [
    language,
    bareClient,
    String(calls),
    bareUs.toFixed(0),
    sdkUs.toFixed(0),
    `**${(100 * (sdkUs / bareUs - 1)).toFixed(1)} %**`,
  ]);
  return [
    '## SDK calls',
    'One unary call by the generated SDK beside the same request by the HTTP client it is built upon, as a program would make it ' +
      'by hand: the same headers, a deadline, JSON by what the language brings along (the JDK brings none, so there its text is ' +
      'left as it is). Both in turn in one process, one at a time, against one server that answers at once; medians. The goal is ' +
      'an overhead of at most 10 %.',
    markdownTable(['language', 'bare client', 'calls', 'bare µs', 'SDK µs', 'overhead'], body),
    ...(pythonImportMs === undefined
      ? []
      : [
          `Importing the Python SDK takes **${pythonImportMs.toFixed(1)} ms** beyond httpx; the goal is at most 30 ms.`,
        ]),
  ].join('\n\n');
}
