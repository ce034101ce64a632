import { setTimeout as pause } from 'node:timers/promises';
import { type Seeded, seeded } from '../../fuzz/seeded.ts';
import { type Deployment, restartDatabase, stallDatabase } from '../deployment/deployment.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import type { Harm, HarmKind, History } from '../history.ts';
import { type PlannedHarm, planHarm } from './plan-harm.ts';
import { reasonOf } from './soak-context.ts';

/** Pause between two groups of faults, in milliseconds. Some pauses are long enough for a takeover. */
const restMs = { least: 3_000, most: 15_000 };

/** Injects planned faults, group by group, until the time is up. Everything works again when the promise resolves. */
export async function doHarm(
  deployment: Deployment,
  history: History,
  { seed, until, kinds }: { seed: number; until: number; kinds: readonly HarmKind[] },
): Promise<void> {
  if (kinds.length === 0) return;
  const choose = seeded(seed);
  const parts = {
    replicas: deployment.replicas.map(({ name }) => name),
    containers: Object.keys(deployment.containers),
  };
  // A short soak has at least one fault.
  await pause(Math.min(restMs.most, (until - Date.now()) / 4));
  for (const group of planHarm(choose, kinds, parts)) {
    const rest = restMs.least + choose.below(restMs.most - restMs.least);
    await Promise.all(group.map((planned) => doOne(deployment, history, planned, until)));
    await pause(Math.max(0, Math.min(rest, until - Date.now())));
    if (Date.now() >= until) return;
  }
}

async function doOne(
  deployment: Deployment,
  history: History,
  { kind, target, afterMs, lengthMs }: PlannedHarm,
  until: number,
): Promise<void> {
  await pause(afterMs);
  if (Date.now() >= until) return;
  const harm: Harm = { kind, target, from: Date.now(), to: Infinity };
  history.harms.push(harm);
  const away = async (): Promise<void> => {
    await pause(lengthMs);
  };
  await harmers[kind](deployment, harm, away, history);
  harm.to = Date.now();
}

/** Injects a fault that lasts until `away` resolves. */
type Harmer = (
  deployment: Deployment,
  harm: Harm,
  away: () => Promise<void>,
  history: History,
) => Promise<void>;

const harmers: Readonly<Record<HarmKind, Harmer>> = {
  kill: async (deployment, { target }, away) => {
    const replica = replicaNamed(deployment, target);
    await replica.kill();
    await away();
    await replica.start();
  },
  restart: async (deployment, { target, from }, away, history) => {
    const replica = replicaNamed(deployment, target);
    try {
      const code = await replica.stop();
      history.shutdowns.push({ replica: target, from, to: Date.now(), code });
    } catch (error) {
      history.failures.push({ operation: 'restart', text: reasonOf(error) });
      await replica.kill();
    }
    await away();
    await replica.start();
  },
  freeze: async (deployment, { target }, away) => {
    const replica = replicaNamed(deployment, target);
    replica.freeze();
    await away();
    replica.thaw();
  },
  container: async ({ containers }, { target }, away) => {
    const container = containers[target as keyof typeof containers];
    await container.kill();
    await away();
    await container.start();
  },
  database: (_deployment, _harm, away) => restartDatabase(away),
  stall: (_deployment, _harm, away) => stallDatabase(away),
  cut: async (deployment, { target }, away) => {
    const { link } = replicaNamed(deployment, target);
    link?.refuse(true);
    link?.cut();
    await away();
    link?.refuse(false);
  },
  hold: async (deployment, { target }, away) => {
    const { link } = replicaNamed(deployment, target);
    link?.hold(true);
    await away();
    link?.hold(false);
  },
  slow: async (deployment, { target }, away) => {
    const { link } = replicaNamed(deployment, target);
    const ended = new AbortController();
    const slowing = slowDown(seeded(1), ended.signal, link);
    await away();
    ended.abort();
    await slowing;
  },
};

/** Delays the traffic of a connection, and delivers it at intervals. */
async function slowDown(choose: Seeded, signal: AbortSignal, link: SoakReplica['link']): Promise<void> {
  while (!signal.aborted) {
    link?.hold(true);
    await pause(20 + choose.below(400));
    link?.hold(false);
    await pause(10);
  }
}

function replicaNamed({ replicas }: Deployment, name: string): SoakReplica {
  return replicas.find((replica) => replica.name === name)!;
}
