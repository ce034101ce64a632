import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { changeKey, UnreadableSecretsError } from '../../access/secrets/change-key.ts';
import { adoptNewKey, discardDrafts, discardNewKey, storeNewKey } from '../../access/secrets/new-key-file.ts';
import { keyFile, loadSecretKey } from '../../access/secrets/secret-key.ts';
import { SealingKeyError } from '../../access/secrets/sealing-key.ts';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../store/database.ts';
import { findTenant } from '../../store/tenants.ts';
import { counted } from '../counted.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';
import { withCurrentDatabase } from '../with-database.ts';

interface RekeyFlags {
  keyFile?: string;
}

/** `svc secret rekey`: encrypts all secrets and deployment tokens with a new key. */
export function rekeyCommand(terminal: Terminal): Command {
  return new Command('rekey')
    .description('Encrypt all secrets and deployment tokens with a new key; restart the service afterwards')
    .option(
      '--key-file <file>',
      'file with the new key, 64 hex characters (default: a random key; required with SVC_SECRET_KEY)',
    )
    .action((flags: RekeyFlags) => rekey(terminal, flags));
}

async function rekey(terminal: Terminal, { keyFile }: RekeyFlags): Promise<void> {
  await withCurrentDatabase(terminal, async (db, config) => {
    const inVariable = config.secretKey !== null;
    if (inVariable && keyFile === undefined) {
      throw new UsageError(
        'SVC_SECRET_KEY has the current key: make a new one with openssl rand -hex 32 > new.key, and run svc secret rekey --key-file new.key',
      );
    }
    const to = keyFile === undefined ? randomBytes(32) : await readNewKey(keyFile);
    const from = await keyToChange(db, config);
    if (!inVariable) {
      await discardDrafts(config.dataDir);
      await storeNewKey(config.dataDir, to);
    }
    const changed = await change(db, { from, to }).catch(async (error: unknown) => {
      // After any other error the transaction may have been committed.
      if (error instanceof CliError && !inVariable) await discardNewKey(config.dataDir, to);
      throw error;
    });
    if (!inVariable) await adoptNewKey(db.knex, config.dataDir);
    note(
      terminal,
      changed === undefined
        ? 'the secrets are encrypted with this key already'
        : `encrypted ${counted(changed.secrets, 'secret')} and ${counted(changed.tokens, 'deployment token')} with the new key`,
    );
    note(terminal, nextStep(config, keyFile));
  });
}

/** Returns the key of the stored secrets. Other commands create a key if there is none; it would have encrypted nothing. */
async function keyToChange(db: Database, config: Config): Promise<Uint8Array> {
  if (config.secretKey === null) {
    await adoptNewKey(db.knex, config.dataDir);
    const file = path.resolve(keyFile(config.dataDir));
    if (!existsSync(file)) {
      throw new CliError(
        `there is no key to change: set SVC_SECRET_KEY to the key that the service uses, or restore ${file}`,
      );
    }
  }
  return loadSecretKey(config);
}

async function readNewKey(file: string): Promise<Uint8Array> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`the key file ${file} cannot be read (${(error as Error).message})`);
  });
  if (/^[0-9a-f]{64}$/i.test(text.trim())) return Buffer.from(text.trim(), 'hex');
  throw new CliError(
    `${file} does not contain a key of 64 hex characters: make one with openssl rand -hex 32`,
  );
}

async function change(db: Database, keys: { from: Uint8Array; to: Uint8Array }) {
  try {
    return await changeKey(db, { ...keys, clock: systemClock });
  } catch (error) {
    if (error instanceof SealingKeyError) throw new CliError(error.message);
    if (error instanceof UnreadableSecretsError) throw await explained(db, error);
    throw error;
  }
}

async function explained(db: Database, { owners }: UnreadableSecretsError): Promise<CliError> {
  const lines = owners.map(async ({ tenantId, name }) => {
    const handle = (await findTenant(db.knex, tenantId))?.handle ?? tenantId;
    const version = /^deployment:(.*)$/.exec(name)?.[1];
    return version === undefined
      ? `  secret ${name} of ${handle}: svc secret delete ${name} --tenant ${handle}`
      : `  token of the deployment of package version ${version} of ${handle}: deploy it again, or without a token`;
  });
  return new CliError(
    `the key was not changed, because these values cannot be read with the current key; remove them first:\n${(await Promise.all(lines)).join('\n')}`,
  );
}

function nextStep({ secretKey }: Config, keyFile: string | undefined): string {
  return secretKey === null
    ? 'the key is in secret.key of the data folder: back it up, and restart the service'
    : `set SVC_SECRET_KEY to the key in ${keyFile ?? ''}, back it up, and restart the service`;
}
