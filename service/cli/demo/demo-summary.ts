import path from 'node:path';
import { table } from '../output.ts';
import type { Approval } from './demo-approval.ts';

/** An archive that the demo has built and downloaded. */
export interface DownloadedArchive {
  language: string;
  /** Path of the downloaded file. */
  file: string;
  bytes: number;
  /** From the request of the build to the end of the download. */
  seconds: number;
}

/** A call through the downloaded SDK, with the text that it printed. */
export interface SdkCall {
  title: string;
  output: string;
}

interface Demonstrated {
  url: string;
  key: string;
  built: readonly DownloadedArchive[];
  /** Folder of the SDK that was called. */
  folder: string;
  /** JSON of the calls. */
  input: string;
  calls: readonly SdkCall[];
  approval: Approval;
  /** Addresses of pages of the service. */
  pages: readonly string[];
  /** Whether the service still runs. */
  keep: boolean;
}

/** Returns the text that the demo prints at its end. It names addresses only if the service still runs. */
export function demoSummary(shown: Demonstrated): string {
  const { url, key, built, folder, input, calls, approval, pages, keep } = shown;
  const rows = built.map(({ language, file, bytes, seconds }) => [
    language,
    `${(bytes / 1024).toFixed(1)} KiB`,
    `${seconds.toFixed(2)} s`,
    path.relative(process.cwd(), file),
  ]);
  return [
    '',
    table(['SDK', 'SIZE', 'BUILT IN', 'ARCHIVE'], rows),
    '',
    `Calls through the SDK in ${path.relative(process.cwd(), folder)}, with the input ${input}:`,
    ...calls.flatMap(({ title, output }) => [
      `  ${title}`,
      `    ${output.length > 160 ? `${output.slice(0, 160)}...` : output}`,
    ]),
    '',
    'The flow approve-order waited for a human, and another process decided with svc execution resume:',
    `  ${approval.question}`,
    `    ${approval.output}`,
    '',
    ...(keep
      ? [
          `The service runs at ${url} until you press Ctrl-C. Read about nodes and flows, and call them with the key below:`,
          ...pages.map((page) => `  ${page}`),
          `Key: ${key}`,
        ]
      : ['The service has ended. To keep it running, with pages for a browser: npm run demo -- --keep']),
  ].join('\n');
}
