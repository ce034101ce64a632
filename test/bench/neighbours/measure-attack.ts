import { setTimeout as pause } from 'node:timers/promises';
import { startAttackedService } from '../../attack/attacked-service.ts';
import type { Attack, AttackResult } from '../../attack/attack.ts';
import { startScript } from '../../attack/child.ts';
import type { Observation } from '../../attack/observation.ts';
import type { Scene } from '../../attack/tenants.ts';
import { watch } from '../../attack/watch.ts';

/** Times in milliseconds, sizes in bytes. */
export interface AttackMeasure {
  attack: Attack;
  /** Calls of the neighbour before the attack, and during it. */
  alone: Observation[];
  attacked: Observation[];
  /** Slowest response of `/healthz` during the attack. */
  slowestHealthMs: number;
  /** Longest turn of the main thread, in processor time. */
  longestTurnMs: number;
  memory: { idle: number; peak: number; later: number };
  /** Processor time of the service per second of the attack, in seconds. */
  cores: number;
  died: boolean;
  sender: AttackResult;
}

interface MeasureOptions {
  dataDir: string;
  root: string;
  scene: Scene;
  /** Before, during, and after the attack. */
  seconds: { alone: number; attacked: number; rest: number };
}

const callEveryMs = 100;
const healthEveryMs = 20;
const memoryEveryMs = 100;
/** Memory limit above which the service is killed, so that the machine stays usable. It then counts as dead. */
const maxMemory = 6 * 2 ** 30;
const warmUpMs = 2_000;

/** Starts a service on a prepared data folder, and attacks it while a neighbour calls. */
export async function measureAttack(
  attack: Attack,
  { dataDir, root, scene, seconds }: MeasureOptions,
): Promise<AttackMeasure> {
  const service = await startAttackedService(dataDir, root);
  const target = JSON.stringify({ ...scene.target, url: service.url });
  const sender = startScript('send-attack', attack.id, target, String(seconds.attacked));
  await sender.line();
  const idle = service.use();
  const calls = watch({ url: service.url, everyMs: callEveryMs, calls: scene.calls });
  const health = watch({ url: service.url, everyMs: healthEveryMs });
  try {
    await pause(warmUpMs);
    const aloneFrom = Date.now();
    await pause(seconds.alone * 1_000);
    await service.longestTurnMs();
    const { cpuSeconds } = service.use();
    const attackedFrom = Date.now();
    const result = sender.line();
    sender.process.stdin?.write('start\n');
    let peak = 0;
    const sampler = setInterval(() => {
      peak = Math.max(peak, service.use().memory);
      if (peak > maxMemory) void service.child.kill();
    }, memoryEveryMs);
    await Promise.race([pause(seconds.attacked * 1_000), service.child.ended]);
    const died = !service.isAlive();
    const attackedTo = Date.now();
    const cores = (service.use().cpuSeconds - cpuSeconds) / ((attackedTo - attackedFrom) / 1_000);
    // Calls that are due by then are made before the watches stop.
    await pause(callEveryMs);
    for (const each of [calls, health]) void each.finish();
    const answer = await Promise.race([result, pause(10_000, undefined, { ref: false })]);
    if (!died) await pause(seconds.rest * 1_000);
    clearInterval(sampler);
    const longestTurnMs = await service.longestTurnMs();
    const during = ({ at }: Observation): boolean => at >= attackedFrom && at < attackedTo;
    return {
      attack,
      alone: calls.seen(attackedFrom).filter(({ at }) => at >= aloneFrom),
      attacked: calls.seen(attackedTo).filter(during),
      slowestHealthMs: Math.max(
        0,
        ...health
          .seen(attackedTo)
          .filter(during)
          .map(({ ms }) => ms),
      ),
      longestTurnMs,
      memory: { idle: idle.memory, peak, later: service.use().memory },
      cores,
      died,
      sender:
        answer === undefined
          ? { sent: 0, answers: {}, cores: Number.NaN }
          : (JSON.parse(answer) as AttackResult),
    };
  } finally {
    await Promise.all([sender.kill(), calls.kill(), health.kill(), service.child.kill()]);
  }
}
