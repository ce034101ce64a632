import { mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from './run-program.ts';

/** Another generator for one language: it makes an SDK of an OpenAPI document by a process of its own. */
export interface Peer {
  /** With its version, as the table names it. */
  name: string;
  /** Id of our language that it is compared with. */
  language: string;
  /** Puts it into the cache folder by the client of its own registry, when it is not there yet. @throws Error when it can't */
  install(cache: string): Promise<void>;
  /** Writes the SDK of a document into a folder that does not exist yet. */
  command(cache: string, document: string, output: string): Command;
}

/** Where peers stay from run to run: outside the project, for they are no part of it. */
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
