import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { LoadRequest, LoadResult } from '../load.ts';

/** The used part of autocannon, which has no types. */
type Autocannon = (options: {
  url: string;
  connections: number;
  duration: number;
  method: string;
  headers: Record<string, string>;
  requests: {
    setupRequest: (request: object) => object;
    onResponse: (status: number, body: string) => void;
  }[];
}) => PromiseLike<{
  requests: { average: number };
  latency: { p50: number; p99: number };
  errors: number;
}>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** Runs as fast as possible, with unique inputs and checked responses. `load.ts <LoadRequest as JSON>`; prints a LoadResult. */
const { url, key, seconds, connections, graphId, isNodeCall } = JSON.parse(
  process.argv[2] ?? '',
) as LoadRequest;
const isForService = graphId !== undefined || isNodeCall === true;
const salt = randomUUID();
let sent = 0;
let wrong: string | undefined;

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method: 'POST',
  headers: {
    'Content-Type': isForService ? 'application/json' : 'application/octet-stream',
    ...(isForService && { Authorization: `Bearer ${key}` }),
  },
  requests: [
    {
      setupRequest: (request) => {
        sent += 1;
        const text = `Typed nodes, wired into flows: ${salt}`;
        const input = `{"text":"${text}","count":"${sent}","tags":["a","b","c"],"weight":0.5}`;
        const body = graphId === undefined ? input : `{"graph_id":"${graphId}","wait":true,"input":${input}}`;
        return { ...request, body };
      },
      onResponse: (status, body) => {
        const expected = graphId === undefined || body.includes('"success":true');
        if (status > 299 || !expected || !body.includes(salt)) wrong ??= `${status} ${body}`;
      },
    },
  ],
});
if (wrong !== undefined || result.errors > 0) {
  throw new Error(`${url}: ${result.errors} failed; ${wrong ?? 'no answer was wrong'}`);
}
const { requests, latency } = result;
const rate: LoadResult = { perSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 };
process.stdout.write(JSON.stringify(rate));
