import { randomBytes } from 'node:crypto';
import { link, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { makePrivateFolder } from '../../objects/make-folder.ts';
import { openPrivateFile } from '../../objects/private-file.ts';
import { syncFolder } from '../../objects/write-durably.ts';
import { refuseAccess } from '../../store/data-folder.ts';

/**
 * Returns the key that encrypts secrets: the configured key, or the key in the data folder. Creates the latter if it does not exist.
 *
 * @returns 32 bytes
 * @throws DataFolderError if the file cannot be read, Error if it does not contain a key
 */
export async function loadSecretKey({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Uint8Array> {
  if (secretKey !== null) return Buffer.from(secretKey, 'hex');
  const file = keyFile(dataDir);
  const text = (await readKey(file)) ?? (await makeKey(file));
  const key = parseKey(text);
  if (key !== undefined) return key;
  throw new Error(`${file} does not contain a key: restore its content, or set SVC_SECRET_KEY`);
}

/** The key file, which is used unless `SVC_SECRET_KEY` is set. */
export function keyFile(dataDir: string): string {
  return path.join(dataDir, 'secret.key');
}

/**
 * Returns advice on where to put the right key if the key found there has encrypted nothing in the database.
 */
export function placeOfKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): string {
  const file = path.resolve(keyFile(dataDir));
  return secretKey === null
    ? `put it into ${file}, which svc makes if there is none and which can be replaced, or into SVC_SECRET_KEY`
    : `put it into SVC_SECRET_KEY, or unset that if ${file} has it`;
}

/** Returns the key of a key file, or `undefined` if the text is not a key. */
export function parseKey(text: string): Uint8Array | undefined {
  const key = text.trim();
  return /^[0-9a-f]{64}$/.test(key) ? Buffer.from(key, 'hex') : undefined;
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return refuseAccess(file, error);
  }
}

/** Creates the file atomically. Of several concurrent processes, one succeeds and the others read its key. */
async function makeKey(file: string): Promise<string> {
  await makePrivateFolder(path.dirname(file));
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await using handle = await openPrivateFile(draft, 'wx');
  await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
  await handle.sync();
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  // No value may be encrypted with a key that a crash could lose.
  await syncFolder(path.dirname(file));
  return await readFile(file, 'utf8');
}
