import { setTimeout as pause } from 'node:timers/promises';
import { type Seeded, seeded } from '../../fuzz/seeded.ts';
import { type Deployment, restartDatabase } from '../deployment/deployment.ts';
import type { Harm, HarmKind, History } from '../history.ts';

/** Rest between two harms, in milliseconds: long enough for a takeover now and then. */
const restMs = { least: 3_000, most: 15_000 };

/**
 * Harms one part of the deployment after the other until the time is up. Every kind comes in each round, in any order. All parts work
 * when it resolves.
 */
export async function doHarm(
  deployment: Deployment,
  history: History,
  { seed, until, kinds }: { seed: number; until: number; kinds: readonly HarmKind[] },
): Promise<void> {
  if (kinds.length === 0) return;
  const choose = seeded(seed);
  // So that a short soak has at least one.
  await pause(Math.min(restMs.most, (until - Date.now()) / 4));
  while (Date.now() < until) {
    for (const kind of shuffled(kinds, choose)) {
      if (Date.now() >= until) return;
      const harm: Harm = { kind, target: kind, from: Date.now(), to: Infinity };
      history.harms.push(harm);
      await harmers[kind](deployment, choose, harm);
      harm.to = Date.now();
      const rest = restMs.least + choose.below(restMs.most - restMs.least);
      await pause(Math.max(0, Math.min(rest, until - Date.now())));
    }
  }
}

type Harmer = (deployment: Deployment, choose: Seeded, harm: Harm) => Promise<void>;

const harmers: Readonly<Record<HarmKind, Harmer>> = {
  kill: async ({ replicas }, choose, harm) => {
    const replica = choose.pick(replicas);
    harm.target = replica.name;
    await replica.kill();
    await pause(aroundTakeover(choose));
    await replica.start();
  },
  freeze: async ({ replicas }, choose, harm) => {
    const replica = choose.pick(replicas);
    harm.target = replica.name;
    replica.freeze();
    await pause(aroundTakeover(choose));
    replica.thaw();
  },
  container: async ({ containers }, choose, harm) => {
    const container = choose.pick(Object.values(containers));
    harm.target = container.name;
    await container.kill();
    await pause(mostlyShort(choose, 1_000, 5_000));
    await container.start();
  },
  database: (_, choose) => restartDatabase(() => pause(mostlyShort(choose, 2_000, 20_000))),
};

/** A replica that is silent for 15 seconds is taken for dead: some are silent for longer. */
function aroundTakeover(choose: Seeded): number {
  return choose.chance(0.3) ? 15_000 + choose.below(8_000) : 200 + choose.below(6_000);
}

function mostlyShort(choose: Seeded, short: number, long: number): number {
  return choose.below(choose.chance(0.7) ? short : long);
}

function shuffled<T>(all: readonly T[], choose: Seeded): T[] {
  const rest = [...all];
  return all.map(() => rest.splice(choose.below(rest.length), 1)[0]!);
}
