import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { loadSdkFixture } from '../support/sdk-fixtures.ts';
import type { ConformanceLanguage, DriverProgram } from './conformance-language.ts';
import type { Driver } from './driver-protocol.ts';
import type { PlacedCase } from './read-cases.ts';
import { runCase } from './run-case.ts';
import { startScriptedServer } from './scripted-server.ts';

/** A language with its driver built, ready for cases. */
export interface Bench {
  /** The problems, one per line; empty if the case passes. */
  run(each: PlacedCase, flavour: string | undefined): Promise<string[]>;
  dispose(): Promise<void>;
}

/** Generates the SDK of the client `conformance` and builds the language's driver upon it. */
export async function setUpBench(language: ConformanceLanguage): Promise<Bench> {
  const root = await mkdtemp(path.join(tmpdir(), `svc-conformance-${language.id}-`));
  const archive = path.join(root, 'sdk');
  await writeArchive(language.id, archive);
  const program = await language.build(archive);
  const server = await startScriptedServer();
  const drivers = startDrivers(program);
  return {
    async run(each, flavour) {
      try {
        return await runCase(each, { server, driverWith: (env) => drivers.with(env, flavour) });
      } catch (error) {
        // A driver that has died or hung leaves the next case to a new one.
        await drivers.stop();
        throw error;
      }
    },
    async dispose() {
      await drivers.stop();
      await program.dispose?.();
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
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
