import { markdownTable } from '../report.ts';
import type { BuildTimes } from './build-times.ts';
import type { SdkTimes } from './measure-sdks.ts';

/** Returns the overhead of SDKs, as a Markdown section. */
export function sdkTable(
  rows: readonly SdkTimes[],
  pythonImportMs: number | undefined,
  builds: readonly BuildTimes[],
): string {
  const body = rows.map(({ language, bareClient, calls, bareUs, sdkUs, ratio }) => [
    language,
    bareClient,
    String(calls),
    bareUs.toFixed(0),
    sdkUs.toFixed(0),
    `**${overhead(ratio.median)} %**`,
    `${overhead(ratio.lowest)} to ${overhead(ratio.highest)} %`,
  ]);
  return [
    '## SDK calls',
    'One unary call with the generated SDK, compared with a handwritten request with the same HTTP client: the same headers, a ' +
      'deadline, and JSON from the standard library (the JDK has none, so its text is not parsed). Both run alternately in one ' +
      'process, one call at a time, against a server that responds at once: eight seconds after eight seconds of warm-up. Each ' +
      'figure is the median of three processes, and _range_ shows their lowest and highest overhead. The goal is at most 10 %.',
    markdownTable(['language', 'bare client', 'calls', 'bare µs', 'SDK µs', 'overhead', 'range'], body),
    ...(pythonImportMs === undefined
      ? []
      : [
          `Importing the Python SDK takes **${pythonImportMs.toFixed(1)} ms** of processor time beyond httpx; the goal is at ` +
            'most 30 ms.',
        ]),
    ...(builds.length === 0 ? [] : [buildTable(builds)]),
  ].join('\n\n');
}

/** Returns the excess of a ratio over 1, in percent. */
function overhead(ratio: number): string {
  return (100 * (ratio - 1)).toFixed(1);
}

function buildTable(builds: readonly BuildTimes[]): string {
  const body = builds.map(({ language, command, ms, cpuMs }) => [
    language,
    `\`${command}\``,
    `**${(ms / 1000).toFixed(1)}**`,
    (cpuMs / 1000).toFixed(1),
  ]);
  return [
    'The first build of an unpacked archive. Its dependencies are downloaded but not compiled, and no compiler server is running. ' +
      'The C# SDK depends on .NET alone; Rust compiles the whole tree of crates, including TLS, as a debug build.',
    markdownTable(['language', 'command', 'seconds', 'CPU seconds'], body),
  ].join('\n\n');
}
