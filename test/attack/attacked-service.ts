import { once } from 'node:events';
import path from 'node:path';
import { type Child, startChild } from './child.ts';
import { type TreeUse, useOfTree } from './process-tree.ts';

/** `svc serve` of a checkout, started by its launcher, with SQLite and every commit synced. */
export interface AttackedService {
  url: string;
  child: Child;
  isAlive(): boolean;
  /**
   * Longest turn of the main thread since the previous call, in milliseconds of processor time. The service responds between turns.
   * The first call starts the watch and returns 0.
   */
  longestTurnMs(): Promise<number>;
  /** Memory and processor time of the service and the programs that it runs. */
  use(): TreeUse;
}

const reporter = path.join(import.meta.dirname, 'processes/report-turns.ts');
const ownRoot = path.resolve(import.meta.dirname, '../..');

export async function startAttackedService(dataDir: string, root = ownRoot): Promise<AttackedService> {
  const child = startChild(path.join(root, 'service/cli/svc'), ['serve'], {
    env: {
      NODE_ENV: 'production',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${reporter}`,
      SVC_DATA_DIR: dataDir,
      SVC_PORT: '0',
      SVC_METRICS_PORT: '0',
      SVC_SYNC: 'full',
      SVC_LOG_LEVEL: 'silent',
    },
    quiet: true,
    isLeader: true,
  });
  const url = await child.line();
  const isAlive = (): boolean => child.process.exitCode === null && child.process.signalCode === null;
  return {
    url,
    child,
    isAlive,
    longestTurnMs: async () => {
      if (!isAlive()) return Infinity;
      child.process.send('turns');
      const answer = once(child.process, 'message') as Promise<[longest: number]>;
      const [longest] = await Promise.race([answer, child.ended.then(() => [Infinity])]);
      return longest;
    },
    use: () => useOfTree(child.process.pid ?? 0),
  };
}
