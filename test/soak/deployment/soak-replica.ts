import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { svc } from '../../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../../support/serve-process.ts';

/** A replica of the service that can be killed, frozen, and started again at its address. */
export interface SoakReplica {
  /** `replica-<n>` */
  name: string;
  url: string;
  /** Where its processes have written their logs. */
  log: string;
  /** The folder of its temporary files. */
  temporary: string;
  /** Whether clients should prefer others, because it is killed or frozen. */
  isHarmed: boolean;
  /** Since when its process runs, epoch milliseconds. */
  startedAt: number;
  /** Resident memory in bytes; undefined if the replica does not answer. */
  memory(): Promise<number | undefined>;
  start(): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

/**
 * Starts a replica.
 *
 * @param folder where its log and its temporary files are
 * @param env database and data folder
 */
export async function startReplica(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<SoakReplica> {
  const port = await freePort();
  const temporary = path.join(folder, `${name}-temporary`);
  mkdirSync(temporary);
  let serve: ServeProcess;
  const start = async (): Promise<void> => {
    serve = await startServeProcess(
      { ...env, SVC_PORT: String(port), SVC_METRICS_PORT: '0', SVC_LOG_LEVEL: 'warn', TMPDIR: temporary },
      [svc],
    );
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
    isHarmed: false,
    startedAt: 0,
    memory: async () => {
      const signal = AbortSignal.timeout(2_000);
      const text = await fetch(serve.metricsUrl, { signal }).then((response) => response.text());
      const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(text) ?? [];
      return bytes === undefined ? undefined : Number(bytes);
    },
    start,
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
