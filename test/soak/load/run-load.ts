import { setTimeout as pause } from 'node:timers/promises';
import { type Seeded, seeded } from '../../fuzz/seeded.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { History } from '../history.ts';
import { type Operation, operations } from '../operations/all-operations.ts';
import { reasonOf } from './soak-context.ts';

/** Number of concurrent clients. */
const clients = 12;

/** Maximum pause of a client between two operations, in milliseconds. */
const restMs = 300;

/** Soaks shorter than this skip long operations. */
const shortMs = 60_000;

/** Runs clients until the time is up and their last operations have ended. */
export async function runLoad(
  { replicas, tenants }: Deployment,
  history: History,
  { seed, until }: { seed: number; until: number },
): Promise<void> {
  let started = 0;
  const isShort = until - Date.now() < shortMs;
  const possible = operations.filter(({ isLong = false }) => !(isShort && isLong));
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const choose = seeded(seed * 1_000 + client);
      while (Date.now() < until) {
        const { name, run } = chooseOperation(choose, possible);
        started += 1;
        history.counts.set(name, (history.counts.get(name) ?? 0) + 1);
        const tenant = choose.pick(tenants);
        const own = seeded(seed * 100_000 + started);
        await run({ operation: name, history, choose: own, tenant, replicas }).catch((error: unknown) => {
          history.failures.push({ operation: name, text: reasonOf(error) });
        });
        await pause(choose.below(restMs));
      }
    }),
  );
}

function chooseOperation(choose: Seeded, possible: readonly Operation[]): Operation {
  const total = possible.reduce((sum, { weight }) => sum + weight, 0);
  let rest = choose.below(total);
  for (const operation of possible) {
    rest -= operation.weight;
    if (rest < 0) return operation;
  }
  throw new Error('the weights have no sum');
}
