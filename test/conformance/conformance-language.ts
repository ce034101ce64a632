import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Toolchain } from '../support/toolchains.ts';
import type { Driver } from './driver-protocol.ts';

/** How a language takes part: `languages/<id>.ts` exports it as `conformanceLanguage`, and is found by its file name. */
export interface ConformanceLanguage {
  /** The same as the file, and as the generator's language. */
  id: string;
  toolchain: Toolchain;
  /** Calls the running service by an app key, as pages do; absent: by a full key. */
  byAppKey?: boolean;
  /** Ways to call that the SDK has, each driven through all cases: `['sync', 'async']`. One without a name when absent. */
  flavours?: readonly string[];
  /**
   * Makes the driver runnable: `archive` is a folder that holds the generated SDK of the client `conformance`, the suite's own
   * to write in and gone afterwards. May take minutes.
   */
  build(archive: string): Promise<DriverProgram>;
}

export interface DriverProgram {
  /** Starts the driver; `env` stands in its environment, and no other `SVC_` variable. */
  start(options: { env: Record<string, string>; flavour: string | undefined }): Driver | Promise<Driver>;
  /** Ends what `build` left running. */
  dispose?(): Promise<void>;
}

const folder = path.join(import.meta.dirname, 'languages');

/** Ids of the languages that take part, sorted. */
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
