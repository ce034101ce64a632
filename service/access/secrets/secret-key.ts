import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { makeFolder } from '../../store/make-folder.ts';

/**
 * The key that seals secrets: the configured one, else that of the data folder, which is made when it is first asked for.
 *
 * @returns 32 bytes
 * @throws Error when the file holds no key
 */
export async function loadSecretKey({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Uint8Array> {
  if (secretKey !== null) return Buffer.from(secretKey, 'hex');
  const file = path.join(dataDir, 'secret.key');
  const text = (await readKey(file)) ?? (await makeKey(file));
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new Error(`${file} holds no key: put back what stood there, or set SVC_SECRET_KEY`);
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole or not at all, and of several processes at once one makes it. */
async function makeKey(file: string): Promise<string> {
  await makeFolder(path.dirname(file));
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(file, 'utf8')).trim();
}
