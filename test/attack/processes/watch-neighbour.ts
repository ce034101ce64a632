import { Agent, request } from 'node:http';
import type { Observation, WatchTarget } from '../observation.ts';

/**
 * The neighbour of an attacker: alternately calls a node and runs a flow, or requests `/healthz`, at fixed times, even if earlier
 * calls are still open. Run `watch-neighbour.ts <WatchTarget as JSON>`; it prints one Observation per line. After a line on stdin, it
 * ends once all calls have been answered.
 */
const { url, everyMs, calls } = JSON.parse(process.argv[2] ?? '') as WatchTarget;
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true });
const timeoutMs = 60_000;
let n = 0;

const startedAt = performance.now();
const timer = setInterval(() => {
  // A call is not left out because this process is late.
  while (startedAt + n * everyMs <= performance.now()) {
    observe(n, startedAt + n * everyMs);
    n += 1;
  }
}, 2);
process.stdin.once('data', () => {
  clearInterval(timer);
  process.stdin.destroy();
});

function observe(number: number, dueAt: number): void {
  const isRun = number % 2 === 1;
  const report = (problem?: string): void => {
    const observation: Observation = {
      at: performance.timeOrigin + dueAt,
      ms: performance.now() - dueAt,
      ...(problem !== undefined && { problem }),
    };
    process.stdout.write(`${JSON.stringify(observation)}\n`);
  };
  const input = `{"text":"a neighbour","count":"${number}"}`;
  const path = !calls ? '/healthz' : isRun ? '/invocations/v1/flows/invoke' : calls.nodePath;
  const body = isRun && calls ? `{"graph_id":"${calls.graphId}","wait":true,"input":${input}}` : input;
  const call = request({
    ...{ agent, hostname, port, path, method: calls ? 'POST' : 'GET', timeout: timeoutMs },
    headers: calls && {
      Authorization: `Bearer ${calls.key}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    },
  });
  call.on('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
  call.on('error', (error) => report(error.message));
  call.on('response', (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => (text += part));
    answer.on('end', () => {
      const succeeded = !calls || !isRun || text.includes('"success":true');
      const isGood = (answer.statusCode ?? 0) < 300 && succeeded;
      report(isGood ? undefined : `${answer.statusCode ?? 0} ${text.slice(0, 300)}`);
    });
    answer.on('error', (error) => report(error.message));
  });
  call.end(calls ? body : undefined);
}
