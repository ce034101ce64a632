import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startAttackedService } from '../../attack/attacked-service.ts';
import type { Attack } from '../../attack/attack.ts';
import { attacks } from '../../attack/attacks.ts';
import { type Child, startScript } from '../../attack/child.ts';
import { createTenants, publishScene, type Scene } from '../../attack/tenants.ts';
import { type AttackMeasure, measureAttack } from './measure-attack.ts';

/** One attack on this checkout and on another one. */
export interface AttackRow {
  attack: Attack;
  after: AttackMeasure;
  before?: AttackMeasure;
}

interface NeighboursOptions {
  isQuick: boolean;
  /** Another checkout with installed dependencies, which is measured in the same way. */
  against: string | undefined;
  /** Ids of attacks; empty means all. */
  only: readonly string[];
  say: (text: string) => void;
}

const ownRoot = path.resolve(import.meta.dirname, '../../..');

/** Runs each attack against a newly started service on a copy of one data folder. */
export async function measureNeighbours(options: NeighboursOptions): Promise<AttackRow[]> {
  const { isQuick, against, only, say } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-'));
  const containers = {
    attacker: startScript('hostile-container'),
    neighbour: startScript('hostile-container'),
  };
  const seconds = isQuick ? { alone: 3, attacked: 5, rest: 5 } : { alone: 5, attacked: 20, rest: 20 };
  try {
    const endpoints = {
      attacker: await containers.attacker.line(),
      neighbour: await containers.neighbour.line(),
    };
    const prepare = async (
      name: string,
      root: string,
    ): Promise<(attack: Attack) => Promise<AttackMeasure>> => {
      const prepared = path.join(folder, name);
      const scene = await prepareCheckout(root, prepared, endpoints);
      return async (attack) => {
        const dataDir = path.join(folder, 'attacked');
        await cp(prepared, dataDir, { recursive: true });
        try {
          const measure = await measureAttack(attack, { dataDir, root, scene, seconds });
          say(`${attack.title}, ${name}: ${summary(measure)}`);
          return measure;
        } finally {
          await rm(dataDir, { recursive: true, force: true });
        }
      };
    };
    const here = await prepare('here', ownRoot);
    const there = against === undefined ? undefined : await prepare('there', path.resolve(against));
    const rows: AttackRow[] = [];
    for (const attack of attacks.filter(({ id }) => only.length === 0 || only.includes(id))) {
      const before = await there?.(attack);
      rows.push({ attack, after: await here(attack), ...(before && { before }) });
    }
    return rows;
  } finally {
    await Promise.all(Object.values(containers).map((child: Child) => child.kill()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prepares a data folder with the checkout's own command line and API, so that checkouts need nothing else in common. */
async function prepareCheckout(
  root: string,
  dataDir: string,
  endpoints: { attacker: string; neighbour: string },
): Promise<Scene> {
  const launcher = path.join(root, 'service/cli/svc');
  const env = { ...process.env, SVC_DATA_DIR: dataDir };
  const keys = await createTenants(async (...args) => {
    return (await promisify(execFile)(launcher, args, { env })).stdout.trim();
  });
  const service = await startAttackedService(dataDir, root);
  try {
    return await publishScene(service.url, keys, endpoints);
  } finally {
    await service.child.kill('SIGTERM');
  }
}

function summary({
  attacked,
  slowestHealthMs,
  longestTurnMs,
  memory,
  died,
  sender,
  cores,
}: AttackMeasure): string {
  const slowest = Math.max(0, ...attacked.map(({ ms }) => ms));
  const problems = attacked.flatMap(({ problem }) => problem ?? []);
  return (
    `slowest call ${slowest.toFixed(0)} ms, ${problems.length} of ${attacked.length} failed, ` +
    `/healthz ${slowestHealthMs.toFixed(0)} ms, turn ${longestTurnMs.toFixed(0)} ms, ` +
    `peak ${(memory.peak / 2 ** 20).toFixed(0)} MiB, later ${(memory.later / 2 ** 20).toFixed(0)} MiB${died ? ', died' : ''}; ` +
    `service ${cores.toFixed(2)} cores, sender ${sender.cores.toFixed(2)} cores ${JSON.stringify(sender.answers)}` +
    (problems[0] === undefined ? '' : `; first failure: ${problems[0]}`)
  );
}
