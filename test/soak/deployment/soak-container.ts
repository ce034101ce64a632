import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../support/free-port.ts';
import { bareEnv } from '../../support/serve-process.ts';
import type { PackageTitle } from './packages.ts';

/** A node container that can be killed and started again on its port. */
export interface SoakContainer {
  /** `container-<title>` */
  name: string;
  endpoint: string;
  start(): Promise<void>;
  /** Kills it. Resolves once it has ended. */
  kill(): Promise<void>;
}

const program = new URL('container-process.ts', import.meta.url).pathname;

/** Starts the container of a package. */
export async function startContainer(title: PackageTitle): Promise<SoakContainer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [program, title, String(port)], {
      env: bareEnv(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const ended = once(started, 'exit').then(() => {
      throw new Error(`the container of ${title} ended at its start`);
    });
    ended.catch(() => undefined);
    await Promise.race([once(createInterface(started.stdout), 'line'), ended]);
  };
  await start();
  return {
    name: `container-${title}`,
    endpoint: `grpc://127.0.0.1:${port}`,
    start,
    kill: async () => {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
