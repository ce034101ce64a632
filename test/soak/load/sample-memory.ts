import { setTimeout as pause } from 'node:timers/promises';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import type { History } from '../history.ts';

/** A process needs so long until it has used everything once. */
const warmUpMs = 20_000;

/** Notes the memory of each replica that is well, every two seconds until the signal. */
export async function sampleMemory(
  replicas: readonly SoakReplica[],
  history: History,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const replica of replicas) {
      if (replica.isHarmed || Date.now() - replica.startedAt < warmUpMs) continue;
      const bytes = await replica.memory().catch(() => undefined);
      if (bytes !== undefined) history.memory.push({ replica: replica.name, at: Date.now(), bytes });
    }
    await pause(2_000, undefined, { signal }).catch(() => undefined);
  }
}
