import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { svc } from '../../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../../support/serve-process.ts';

/** A replica of the service that can be stopped, killed, frozen, and restarted at its address. */
export interface SoakReplica {
  /** `replica-<n>` */
  name: string;
  url: string;
  /** File to which its processes write their logs. */
  log: string;
  /** The folder of its temporary files. */
  temporary: string;
  /** Its connections to PostgreSQL. */
  link: CuttingProxy | undefined;
  /** Whether clients should prefer other replicas, because this one is stopped, killed or frozen. */
  isHarmed: boolean;
  /** Start of its process, epoch milliseconds. */
  startedAt: number;
  /**
   * Returns resident memory in bytes; undefined if the metrics do not contain it. Rejects if the replica does not
   * respond.
   */
  memory(): Promise<number | undefined>;
  /** Starts the replica. Repeats the start while it exits, as it does during a database outage. */
  start(): Promise<void>;
  /**
   * Stops the replica gracefully, and returns its exit code.
   *
   * @throws AssertionError if a response differed from its operation
   */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

/** Maximum number of attempts to start a replica. */
const attempts = 60;

/**
 * Starts a replica.
 *
 * @param folder contains its log and its temporary files
 * @param env sets the data folder
 * @param database URL of the PostgreSQL database, if there is one
 */
export async function startReplica(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  database: string | undefined,
): Promise<SoakReplica> {
  const port = await freePort();
  const link = database === undefined ? undefined : await linkTo(database);
  const temporary = path.join(folder, `${name}-temporary`);
  mkdirSync(temporary);
  let serve: ServeProcess;
  const startOnce = (): Promise<ServeProcess> =>
    startServeProcess(
      {
        ...env,
        ...(link && { SVC_DATABASE_URL: link.database }),
        SVC_PORT: String(port),
        SVC_METRICS_PORT: '0',
        SVC_LOG_LEVEL: 'warn',
        TMPDIR: temporary,
      },
      [svc],
    );
  const start = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        serve = await startOnce();
        break;
      } catch (error) {
        if (attempt === attempts) throw error;
        appendFileSync(replica.log, `${String(error)}\n`);
        await pause(1_000);
      }
    }
    const write = (text: string | Buffer): void => appendFileSync(replica.log, text);
    write(serve.stderr());
    serve.child.stderr?.on('data', write);
    replica.startedAt = Date.now();
    replica.isHarmed = false;
  };
  const replica: SoakReplica = {
    name,
    url: `http://127.0.0.1:${port}`,
    log: path.join(folder, `${name}.log`),
    temporary,
    link: link?.proxy,
    isHarmed: false,
    startedAt: 0,
    memory: async () => {
      const signal = AbortSignal.timeout(2_000);
      const text = await fetch(serve.metricsUrl, { signal }).then((response) => response.text());
      const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(text) ?? [];
      return bytes === undefined ? undefined : Number(bytes);
    },
    start,
    stop: () => {
      replica.isHarmed = true;
      return serve.stop();
    },
    kill: async () => {
      replica.isHarmed = true;
      await serve.kill();
    },
    freeze: () => {
      replica.isHarmed = true;
      serve.child.kill('SIGSTOP');
    },
    thaw: () => {
      serve.child.kill('SIGCONT');
      replica.isHarmed = false;
    },
  };
  await start();
  return replica;
}

/** Starts a proxy to a database. */
async function linkTo(database: string): Promise<{ proxy: CuttingProxy; database: string }> {
  const url = new URL(database);
  const proxy = await startCuttingProxy(`http://${url.host}`);
  url.host = new URL(proxy.url).host;
  return { proxy, database: url.href };
}
