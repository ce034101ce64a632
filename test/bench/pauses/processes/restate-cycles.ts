import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { CycleResult, RestateRequest } from '../cycle-load.ts';
import { jsonCall } from './json-call.ts';

/** Restate runs that wait at an awakeable and are resolved. `restate-cycles.ts <RestateRequest as JSON>`; prints a CycleResult. */
const { ingress, side, seconds, callers } = JSON.parse(process.argv[2] ?? '') as RestateRequest;
const agent = new Agent({ keepAlive: true });
const patienceMs = 60_000;

const completed = async (): Promise<number> => Number(await jsonCall({ agent }, 'GET', `${side}/completed`));
const before = await completed();
let made = 0;

async function cycle(number: number): Promise<void> {
  const text = 'Typed nodes, wired into flows';
  await jsonCall({ agent }, 'POST', `${ingress}/bench/asks/send`, { number, text });
  const id = await jsonCall({ agent }, 'GET', `${side}/asked/${number}`);
  await jsonCall({ agent }, 'POST', `${ingress}/restate/awakeables/${id}/resolve`, String(number));
}

const begin = performance.now();
const until = begin + seconds * 1_000;
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (performance.now() < until) {
      made += 1;
      await cycle(before + made);
    }
  }),
);
const deadline = performance.now() + patienceMs;
while ((await completed()) < before + made) {
  if (performance.now() > deadline) throw new Error('runs of Restate are stuck');
  await pause(5);
}
const result: CycleResult = { perSecond: (made * 1_000) / (performance.now() - begin), delays: [] };
process.stdout.write(JSON.stringify(result));
agent.destroy();
