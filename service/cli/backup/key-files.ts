import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fingerprintOf } from '../../access/secrets/sealing-key.ts';
import { parseKey } from '../../access/secrets/secret-key.ts';
import { CliError } from '../output.ts';
import { keyFileName } from './backup-format.ts';

/** A file with an encryption key, as it was read. */
export interface KeyFile {
  name: string;
  text: string;
}

/**
 * Reads the key files of a data folder after its database was copied. The key may be somewhere else, or may have changed since.
 *
 * @param sealingKey fingerprint of the key in the copy, `undefined` if nothing was encrypted yet
 * @throws CliError if none of the files has that key
 */
export async function readKeyFiles(dataDir: string, sealingKey: string | undefined): Promise<KeyFile[]> {
  const names = (await readdir(dataDir)).filter((name) => keyFileName.test(name));
  const read = await Promise.all(names.map((name) => readKeyFile(dataDir, name)));
  const files = read.filter((file) => file !== undefined);
  if (sealingKey === undefined || files.some(({ text }) => hasKey(text, sealingKey))) return files;
  throw new CliError(
    `--with-key is not possible: no key in ${path.resolve(dataDir)} is that of the secrets; if the service has it in SVC_SECRET_KEY, set that here too, back up without --with-key and keep the key apart; if svc secret rekey ran meanwhile, repeat the command`,
  );
}

/** Returns `undefined` if a key change has renamed the file. */
async function readKeyFile(dataDir: string, name: string): Promise<KeyFile | undefined> {
  try {
    return { name, text: await readFile(path.join(dataDir, name), 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function hasKey(text: string, fingerprint: string): boolean {
  const key = parseKey(text);
  return key !== undefined && fingerprintOf(key) === fingerprint;
}
