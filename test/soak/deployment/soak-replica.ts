import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { svc } from '../../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../../support/serve-process.ts';

/** A replica of the service that can be stopped, killed, frozen, and started again at its address. */
export interface SoakReplica {
  /** `replica-<n>` */
  name: string;
  url: string;
  /** Where its processes have written their logs. */
  log: string;
  /** The folder of its temporary files. */
  temporary: string;
  /** Its connections to PostgreSQL. */
  link: CuttingProxy | undefined;
  /** Whether clients should prefer others, because it is stopped, killed or frozen. */
  isHarmed: boolean;
  /** Since when its process runs, epoch milliseconds. */
  startedAt: number;
  /** Resident memory in bytes; undefined if the replica does not answer. */
  memory(): Promise<number | undefined>;
  /** Starts it, as often as it takes: it ends if the database is away. */
  start(): Promise<void>;
  /**
   * Stops it in order, and returns its exit code.
   *
   * @throws AssertionError if an answer differed from its operation
   */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

/** How often a replica is started until it has to run. */
const attempts = 60;

/**
 * Starts a replica.
 *
 * @param folder where its log and its temporary files are
 * @param env data folder
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
