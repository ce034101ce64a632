import { mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from './run-program.ts';

/** Another generator for one language, which generates an SDK from an OpenAPI document in a separate process. */
export interface Peer {
  /** Name in the table, with the version. */
  name: string;
  /** Id of the corresponding language of ours. */
  language: string;
  /** Installs it into the cache folder from its own registry, if it is missing. @throws Error if it cannot be installed */
  install(cache: string): Promise<void>;
  /** Writes the SDK of a document into a folder that does not exist yet. */
  command(cache: string, document: string, output: string): Command;
}

/** Cache of peers between runs, outside the project. */
export function peerCache(env: NodeJS.ProcessEnv = process.env): string {
  const caches = env.XDG_CACHE_HOME;
  return path.join(caches === undefined || caches === '' ? tmpdir() : caches, 'svc-bench-peers');
}

/** Fills a folder once; an interrupted installation is repeated. */
export async function installOnce(folder: string, fill: (into: string) => void): Promise<void> {
  if (existsSync(folder)) return;
  const partial = `${folder}.part`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  fill(partial);
  await rename(partial, folder);
}
