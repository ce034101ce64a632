import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Toolchain } from '../support/toolchains.ts';
import type { Driver } from './driver-protocol.ts';

/** Support for a language. `languages/<id>.ts` exports it as `conformanceLanguage`, and is found by its file name. */
export interface ConformanceLanguage {
  /** The name of the file, and the id of the generator's language. */
  id: string;
  toolchain: Toolchain;
  /** Calls the running service with an app key, like pages; by default with a full key. */
  byAppKey?: boolean;
  /** Call styles of the SDK, each of which runs all cases: `['sync', 'async']`. By default a single unnamed one. */
  flavours?: readonly string[];
  /**
   * Builds the driver. `archive` is a temporary folder with the generated SDK of the client `conformance`, which the build may
   * write to. May take minutes.
   */
  build(archive: string): Promise<DriverProgram>;
}

export interface DriverProgram {
  /** Starts the driver with `env` in its environment, and with no other `SVC_` variable. */
  start(options: { env: Record<string, string>; flavour: string | undefined }): Driver | Promise<Driver>;
  /** Ends the processes that `build` left running. */
  dispose?(): Promise<void>;
}

const folder = path.join(import.meta.dirname, 'languages');

/** Ids of the supported languages, sorted. */
export function listConformanceLanguages(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

export async function loadConformanceLanguage(id: string): Promise<ConformanceLanguage> {
  const file = path.join(folder, `${id}.ts`);
  const { conformanceLanguage } = (await import(pathToFileURL(file).href)) as {
    conformanceLanguage?: ConformanceLanguage;
  };
  if (conformanceLanguage?.id !== id)
    throw new Error(`${file} must export the language "${id}" as "conformanceLanguage"`);
  return conformanceLanguage;
}
