import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { syncFolder, writeDurably } from '../../objects/write-durably.ts';
import type { Tx } from '../../store/database.ts';
import { findSealingKey } from '../../store/sealing-key.ts';
import { keyFile, loadSecretKey } from './secret-key.ts';
import { fingerprintOf } from './sealing-key.ts';

/**
 * Changing the key in the data folder takes three steps, so that a crash between any two of them loses nothing:
 *
 * 1. the new key is stored as `secret.key.<fingerprint>`;
 * 2. the database is encrypted with it and stores its fingerprint;
 * 3. the file becomes `secret.key`.
 *
 * The name differs for each key, so concurrent changes do not overwrite each other's key.
 */
export async function storeNewKey(dataDir: string, key: Uint8Array): Promise<void> {
  await writeDurably(newKeyFile(dataDir, fingerprintOf(key)), `${Buffer.from(key).toString('hex')}\n`);
}

/** Removes the remains of earlier key changes that were interrupted while writing the key file. */
export async function discardDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (/^\.secret\.key\..*\.tmp$/.test(name)) await rm(path.join(dataDir, name), { force: true });
  }
}

/** Removes the file of a key that has not encrypted anything. */
export async function discardNewKey(dataDir: string, key: Uint8Array): Promise<void> {
  await rm(newKeyFile(dataDir, fingerprintOf(key)), { force: true });
}

/**
 * Performs the third step of a key change. Does nothing if the database is not encrypted with a new key, or
 * if another process has performed the step.
 */
export async function adoptNewKey(tx: Tx, dataDir: string): Promise<void> {
  const fingerprint = await findSealingKey(tx);
  if (fingerprint === undefined) return;
  try {
    await rename(newKeyFile(dataDir, fingerprint), keyFile(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dataDir);
}

/** Like `loadSecretKey`, but first finishes a key change that a crash interrupted. */
export async function loadCurrentKey(
  tx: Tx,
  config: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<Uint8Array> {
  if (config.secretKey === null) await adoptNewKey(tx, config.dataDir);
  return loadSecretKey(config);
}

function newKeyFile(dataDir: string, fingerprint: string): string {
  return `${keyFile(dataDir)}.${fingerprint}`;
}
