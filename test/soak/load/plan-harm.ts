import type { Seeded } from '../../fuzz/seeded.ts';
import type { HarmKind } from '../history.ts';

/** A planned fault. */
export interface PlannedHarm {
  kind: HarmKind;
  /** `replica-0`, `steps`, `database` */
  target: string;
  /** Delay of the fault after the first one of its group, in milliseconds. */
  afterMs: number;
  /** Duration of the fault in milliseconds. */
  lengthMs: number;
}

/** Names of the components that faults can target. */
interface Parts {
  replicas: readonly string[];
  containers: readonly string[];
}

/**
 * Plans an endless sequence of groups of overlapping faults. In each round, every kind leads one group, in random
 * order. Two faults of a group never have the same target.
 */
export function* planHarm(
  choose: Seeded,
  kinds: readonly HarmKind[],
  parts: Parts,
): Generator<PlannedHarm[]> {
  for (;;) for (const kind of shuffled(kinds, choose)) yield planGroup(choose, kind, kinds, parts);
}

/** Maximum number of faults after the first one of a group. */
const added = 2;

function planGroup(choose: Seeded, first: HarmKind, kinds: readonly HarmKind[], parts: Parts): PlannedHarm[] {
  const harmed = new Set<string>();
  const group: PlannedHarm[] = [];
  const add = (kind: HarmKind, afterMs: number): void => {
    const free = targetsOf(kind, parts).filter((target) => !harmed.has(exclusion(kind, target)));
    if (free.length === 0) return;
    const target = choose.pick(free);
    harmed.add(exclusion(kind, target));
    group.push({ kind, target, afterMs, lengthMs: lengths[kind](choose) });
  };
  add(first, 0);
  const { lengthMs = 0 } = group[0] ?? {};
  for (let n = 0; n < added; n += 1) {
    if (!choose.chance(0.5)) continue;
    // One second after the first fault, at a random time during it, or just before it ends.
    const afterMs = choose.pick([1_000, choose.below(lengthMs + 1), Math.max(0, lengthMs - 200)]);
    add(choose.pick(kinds), afterMs);
  }
  return group;
}

/**
 * Returns what a fault occupies: a process or its connection. A group has at most one fault of each, and may include
 * both of one replica.
 */
function exclusion(kind: HarmKind, target: string): string {
  return kind === 'cut' || kind === 'hold' || kind === 'slow' ? `connection of ${target}` : target;
}

function targetsOf(kind: HarmKind, { replicas, containers }: Parts): readonly string[] {
  if (kind === 'container') return containers;
  return kind === 'database' || kind === 'stall' ? ['database'] : replicas;
}

const lengths: Readonly<Record<HarmKind, (choose: Seeded) => number>> = {
  kill: aroundTakeover,
  restart: (choose) => choose.below(3_000),
  freeze: aroundTakeover,
  container: (choose) => mostlyShort(choose, 1_000, 5_000),
  database: (choose) => mostlyShort(choose, 2_000, 20_000),
  stall: (choose) => 5_000 + mostlyShort(choose, 10_000, 35_000),
  cut: aroundTakeover,
  hold: (choose) => (choose.chance(0.2) ? 30_000 + choose.below(5_000) : aroundTakeover(choose)),
  slow: (choose) => 5_000 + choose.below(15_000),
};

/** Returns a duration, sometimes above the 15 seconds of silence after which a replica is considered dead. */
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
