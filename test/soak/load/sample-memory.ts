import { setTimeout as pause } from 'node:timers/promises';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import type { History } from '../history.ts';

/** Warm-up of a process, during which it uses every part for the first time. */
const warmUpMs = 20_000;

/** Records the memory of each unharmed replica every two seconds until the signal. */
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
