import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Toolchain } from '../../support/toolchains.ts';

/** Support for a client. `<id>/build.ts` exports it as `sdkBench`, and is found by its folder. */
export interface SdkBench {
  toolchain: Toolchain;
  /** Id of the language of the SDK, by default the name of the folder. */
  language?: string;
  /** Name of the HTTP client on which the SDK is built. */
  bareClient: string;
  /**
   * Builds the program. `archive` is a folder with the generated SDK of the fixture `basic`. The benchmark may write
   * into it, and it is removed afterwards.
   *
   * The program alternates between calls of `count-words` with the SDK and the same requests with the bare client, one
   * call at a time. It warms up for `BENCH_SECONDS` and measures for as long. It finds the server as SDKs do
   * (`SVC_BASE_URL`, `SVC_API_KEY`), and prints `{"bare": [...], "sdk": [...]}`: the nanoseconds of each call.
   */
  build(archive: string): Promise<BenchProgram>;
}

export interface BenchProgram {
  program: string;
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
}

/** Ids of the supported languages, sorted. */
export function listSdkBenches(): string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export async function loadSdkBench(id: string): Promise<SdkBench> {
  const file = path.join(import.meta.dirname, id, 'build.ts');
  const { sdkBench } = (await import(pathToFileURL(file).href)) as { sdkBench?: SdkBench };
  if (sdkBench === undefined) throw new Error(`${file} must export "sdkBench"`);
  return sdkBench;
}
