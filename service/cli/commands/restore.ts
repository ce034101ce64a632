import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { keyFile } from '../../access/secrets/secret-key.ts';
import { loadConfig } from '../../config.ts';
import { CliError, note, type Terminal } from '../output.ts';

/** `svc restore <file>`: puts a backup into an empty data folder. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .argument('<file>', 'file written by svc backup')
    .action((file: string) => restore(terminal, file));
}

async function restore(terminal: Terminal, file: string): Promise<void> {
  const { databaseUrl, secretKey, dataDir } = loadConfig(terminal.env);
  if (databaseUrl !== null) {
    throw new CliError(
      'SVC_DATABASE_URL is set: restore PostgreSQL with pg_restore (see docs/operating.md), or unset it to restore a backup of SQLite',
    );
  }
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const problem = existsSync(file) ? 'is not a file' : 'does not exist';
    throw new CliError(`${file} ${problem}: give a file that svc backup has written`);
  }
  const { restoreFolder } = await import('../backup/restore-folder.ts');
  const { created_at: createdAt, svc, key } = await restoreFolder(file, dataDir);
  note(terminal, `restored the backup of ${createdAt} by svc ${svc} to ${path.resolve(dataDir)}`);
  if (key === 'kept apart' && secretKey === null) {
    note(
      terminal,
      `WARNING: the backup does not have the encryption key: before svc serve starts, copy the key to ${path.resolve(keyFile(dataDir))}, or set SVC_SECRET_KEY`,
    );
  }
  note(
    terminal,
    'before svc serve starts, make sure that the service of the backup has stopped: both would continue the same runs',
  );
}
