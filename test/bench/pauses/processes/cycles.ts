import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { CycleRequest, CycleResult } from '../cycle-load.ts';
import { jsonCall } from './json-call.ts';

/**
 * Executes runs in a closed loop, and pauses and resumes them if the flow asks for decisions. `cycles.ts <CycleRequest
 * as JSON>`; prints a CycleResult.
 */
const { urls, key, graphId, asks, seconds, callers, isTimed } = JSON.parse(
  process.argv[2] ?? '',
) as CycleRequest;
const [first = ''] = urls;
const last = urls.at(-1) ?? first;
const agent = new Agent({ keepAlive: true, maxSockets: callers });
const salt = randomUUID();
const patienceMs = 60_000;

interface Answer {
  execution_id: string;
  execution_status?: string;
  pause_id?: string;
  already_resumed?: boolean;
  result?: { success: boolean; output: { text: string } };
  executions?: unknown[];
}

async function call(method: 'GET' | 'POST', url: string, body?: object): Promise<Answer> {
  return JSON.parse(await jsonCall({ agent, key }, method, url, body)) as Answer;
}

const now = (): number => performance.timeOrigin + performance.now();
const delays: number[] = [];
let made = 0;

async function cycle(number: number): Promise<void> {
  const invocation = {
    graph_id: graphId,
    wait: true,
    idempotency_key: `${salt} ${number}`,
    input: { text: 'Typed nodes, wired into flows', count: String(number) },
  };
  const invoke = `${first}/invocations/v1/flows/invoke`;
  const answer = await call('POST', invoke, invocation);
  if (!asks) {
    if (answer.result?.success !== true) throw new Error(JSON.stringify(answer));
    return;
  }
  if (answer.execution_status !== 'PAUSED') throw new Error(JSON.stringify(answer));
  const decision = { pause_id: answer.pause_id, value: { text: now().toFixed(3) } };
  const resumed = await call('POST', `${last}/invocations/v1/flows/${answer.execution_id}/resume`, decision);
  if (resumed.already_resumed !== false) throw new Error(JSON.stringify(resumed));
  if (!isTimed) return;
  const { result } = await call('POST', invoke, invocation);
  if (result?.success !== true) throw new Error(JSON.stringify(result));
  delays.push(Number(result.output.text));
}

const begin = performance.now();
const until = begin + seconds * 1_000;
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (performance.now() < until) {
      made += 1;
      await cycle(made);
    }
  }),
);
// Runs in flight count too, and must end before the deadline.
const deadline = performance.now() + patienceMs;
for (;;) {
  const { executions } = await call('GET', `${first}/invocations/v1/executions?status=RUNNING&limit=1`);
  if (executions?.length === 0) break;
  if (performance.now() > deadline) throw new Error('runs are stuck');
  await pause(5);
}
const result: CycleResult = { perSecond: (made * 1_000) / (performance.now() - begin), delays };
process.stdout.write(JSON.stringify(result));
agent.destroy();
