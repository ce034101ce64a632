import { type Child, startChild } from '../../attack/child.ts';
import { freePort } from '../../support/free-port.ts';
import type { PackageTitle } from './packages.ts';

/** A node container that can be killed and restarted on its port. */
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
  let child: Child | undefined;
  const start = async (): Promise<void> => {
    child = startChild(process.execPath, [program, title, String(port)]);
    await child.line();
  };
  await start();
  return {
    name: `container-${title}`,
    endpoint: `grpc://127.0.0.1:${port}`,
    start,
    kill: async () => child?.kill(),
  };
}
