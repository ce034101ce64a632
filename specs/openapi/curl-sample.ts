import type { CodeSample } from './code-sample.ts';

interface CurlCall {
  /** Complete address of the operation. */
  url: string;
  /** JSON of the body. */
  body: unknown;
  /** Whether the response is a stream, which curl then prints as it arrives. */
  streams: boolean;
}

/** A body up to this length stays on one line. */
const shortBody = 60;

/** Returns a command for POSIX shells that sends a JSON body with the key in `SVC_API_KEY`. */
export function curlSample({ url, body, streams }: CurlCall): CodeSample {
  const line = JSON.stringify(body);
  const json = line.length <= shortBody ? line : JSON.stringify(body, undefined, 2);
  const source = [
    `curl ${streams ? '-N ' : ''}${quote(url)}`,
    '-H "Authorization: Bearer $SVC_API_KEY"',
    `--json ${quote(json)}`,
  ].join(' \\\n  ');
  return { lang: 'Shell', label: 'curl', source };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
