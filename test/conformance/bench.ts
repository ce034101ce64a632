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
import { runCase } from './run-case.ts';
import { startScriptedServer } from './scripted-server.ts';

/** A case, and the flavour of the SDK that it is run with. */
interface FlavouredCase {
  case: PlacedCase;
  flavour: string | undefined;
}

/** Returns the cases that the features of a language allow, in each of its flavours. */
export function flavouredCases({ id, flavours }: ConformanceLanguage): FlavouredCase[] {
  const [cases, matrix] = [readCases(), readMatrix()];
  return (flavours ?? [undefined]).flatMap((flavour) =>
    casesOf(cases, matrix, id, flavour).map((each) => ({ case: each, flavour })),
  );
}

/** A language with its driver built, ready for cases. */
export interface Bench {
  /**
   * Runs cases, several at a time: the longest first, so that the others run meanwhile. Returns the problems of each, one per line; empty if the case passes. A promise
   * that rejects does so only for its caller.
   */
  run(cases: readonly FlavouredCase[]): ReadonlyMap<FlavouredCase, Promise<string[]>>;
  /** Stops. Cases that have not ended reject or stay pending. */
  dispose(): Promise<void>;
}

/** Drivers at work at a time. Most cases wait, for a delay or a timeout, and leave the processor idle. */
const LANES = 3;

/** Generates the SDK of the client `conformance` and builds the language's driver upon it. */
export async function setUpBench(language: ConformanceLanguage): Promise<Bench> {
  const root = await mkdtemp(path.join(tmpdir(), `svc-conformance-${language.id}-`));
  const archive = path.join(root, 'sdk');
  await writeArchive(language.id, archive);
  const program = await language.build(archive);
  const server = await startScriptedServer();
  const lanes = Array.from({ length: LANES }, () => startDrivers(program));
  let work: Promise<void>[] = [];
  let isDisposed = false;
  return {
    run(cases) {
      const turns = cases.map((each) => ({ each, ...Promise.withResolvers<string[]>() }));
      for (const { promise } of turns) promise.catch(() => undefined);
      const queue = turns.toSorted((one, other) => leastMs(other.each) - leastMs(one.each));
      work = lanes.map(async (drivers) => {
        for (let turn = queue.shift(); turn !== undefined && !isDisposed; turn = queue.shift()) {
          const { flavour } = turn.each;
          const options = {
            server,
            driverWith: (env: Record<string, string>) => drivers.with(env, flavour),
          };
          try {
            turn.resolve(await runCase(turn.each.case, options));
          } catch (error) {
            turn.reject(error);
            // A driver that has died or hung leaves the next case to a new one.
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
      await program.dispose?.();
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The least time that a case takes, in milliseconds. */
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

/** Keeps the driver of the last environment: most cases have none, and cases with one follow each other. */
export function startDrivers(program: DriverProgram): {
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
      running = await program.start({ env, flavour });
      name = wanted;
      return running;
    },
    async stop() {
      const last = running;
      running = undefined;
      await last?.stop();
    },
  };
}
