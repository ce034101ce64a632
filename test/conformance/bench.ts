import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import type { ConformanceLanguage, DriverProgram } from './conformance-language.ts';
import type { Driver } from './driver-protocol.ts';
import { casesOf, readMatrix } from './feature-matrix.ts';
import { type PlacedCase, readCases } from './read-cases.ts';
import { API_KEY, runCase } from './run-case.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

/** A case and the flavour of the SDK that runs it. */
interface FlavouredCase {
  case: PlacedCase;
  flavour: string | undefined;
}

/** Returns the cases that the features of a language allow, for each of its flavours. */
export function flavouredCases({ id, flavours }: ConformanceLanguage): FlavouredCase[] {
  const [cases, matrix] = [readCases(), readMatrix()];
  return (flavours ?? [undefined]).flatMap((flavour) =>
    casesOf(cases, matrix, id, flavour).map((each) => ({ case: each, flavour })),
  );
}

/** A language whose driver has been built. */
export interface Bench {
  /**
   * Runs cases concurrently, those that wait beside the others. Returns the problems of each case, one per line; empty if the
   * case passes. A rejected promise affects only its caller.
   */
  run(cases: readonly FlavouredCase[]): ReadonlyMap<FlavouredCase, Promise<string[]>>;
  /** Stops the drivers. Unfinished cases reject or stay pending. */
  dispose(): Promise<void>;
}

/** Concurrent drivers for cases without waits, which need the processor. */
const BUSY_LANES = 3;

/** Concurrent drivers for cases that wait for seconds and leave the processor idle. */
const WAITING_LANES = 6;

/** Generates the SDK of the client `conformance` and builds the driver of the language with it. */
export async function setUpBench(language: ConformanceLanguage): Promise<Bench> {
  const root = await mkdtemp(path.join(tmpdir(), `svc-conformance-${language.id}-`));
  const archive = path.join(root, 'sdk');
  await writeArchive(language.id, archive);
  const program = await language.build(archive);
  const server = await startScriptedServer();
  const lanes = Array.from({ length: BUSY_LANES + WAITING_LANES }, () =>
    startDrivers(program, (driver) => warmUp(driver, server)),
  );
  let work: Promise<void>[] = [];
  let isDisposed = false;
  return {
    run(cases) {
      const turns = cases.map((each) => ({ each, ...Promise.withResolvers<string[]>() }));
      for (const { promise } of turns) promise.catch(() => undefined);
      const longestFirst = turns.toSorted((one, other) => leastMs(other.each) - leastMs(one.each));
      const waiting = longestFirst.filter(({ each }) => leastMs(each) > 0);
      const busy = longestFirst.slice(waiting.length);
      work = lanes.map(async (drivers, lane) => {
        const next = (): (typeof turns)[number] | undefined =>
          lane < BUSY_LANES ? (busy.shift() ?? waiting.shift()) : waiting.shift();
        for (let turn = next(); turn !== undefined && !isDisposed; turn = next()) {
          const { flavour } = turn.each;
          const options = {
            server,
            driverWith: (env: Record<string, string>) => drivers.with(env, flavour),
          };
          try {
            turn.resolve(await runCase(turn.each.case, options));
          } catch (error) {
            turn.reject(error);
            // After a driver has died or hung, a new one runs the next case.
            await drivers.stop();
          }
        }
      });
      return new Map(turns.map(({ each, promise }) => [each, promise]));
    },
    async dispose() {
      isDisposed = true;
      await Promise.all(lanes.map((drivers) => drivers.stop()));
      await Promise.all(work);
      // A case with several variants may have started a driver in the meantime.
      await Promise.all(lanes.map((drivers) => drivers.stop()));
      await program.dispose?.();
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Minimum duration of a case, in milliseconds. */
function leastMs({ case: { tookAtLeastMs = 0 } }: FlavouredCase): number {
  return tookAtLeastMs;
}

async function writeArchive(id: string, folder: string): Promise<void> {
  const { language, templates } = await loadLanguage(id);
  for (const file of await sdkFiles(await loadSdkFixture('conformance'), language, templates)) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
}

/**
 * Makes a driver load the code of its first call, stream and socket. On a busy machine, loading takes seconds, which would count
 * towards its first case.
 */
async function warmUp(driver: Driver, server: ScriptedServer): Promise<void> {
  const { baseUrl } = server.open([
    { flowOutput: {} },
    { frames: [] },
    { json: { events: [] } },
    { socket: [{ send: { type: 'SESSION_READY' } }, { close: 1000 }] },
    { json: { status: 'COMPLETED' } },
    { json: { events: [] } },
  ]);
  const executionId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await driver.run({
    id: 'warm-up',
    client: { apiKey: API_KEY, baseUrl, maxRetries: 0 },
    steps: [
      { do: 'call', alias: 'echo-twice', inputText: '{}', options: {} },
      { do: 'stream', alias: 'write-text', inputText: '{}', options: {} },
      { do: 'follow', alias: 'echo-twice', executionId, options: {} },
    ],
  });
}

/**
 * Keeps the driver of the last environment, since most cases have none and cases with one are adjacent. `prepare` runs with each
 * started driver.
 */
export function startDrivers(
  program: DriverProgram,
  prepare: (driver: Driver) => Promise<void> = () => Promise.resolve(),
): {
  with(env: Record<string, string>, flavour: string | undefined): Promise<Driver>;
  stop(): Promise<void>;
} {
  let name = '';
  let running: Driver | undefined;
  return {
    async with(env, flavour) {
      const wanted = JSON.stringify([env, flavour]);
      if (running !== undefined && wanted === name) return running;
      await running?.stop();
      running = undefined;
      const started = await program.start({ env, flavour });
      running = started;
      name = wanted;
      await prepare(started);
      return started;
    },
    async stop() {
      const last = running;
      running = undefined;
      await last?.stop();
    },
  };
}
