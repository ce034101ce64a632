import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { keyFile } from '../../access/secrets/secret-key.ts';
import { type Config, loadConfig } from '../../config.ts';
import { isDamaged } from '../../store/database-errors.ts';
import type { BackupManifest } from '../backup/backup-format.ts';
import { counted } from '../counted.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';
import { noteDataFolder, requireDatabase } from '../with-database.ts';

interface BackupFlags {
  withKey?: boolean;
}

/** `svc backup <file>`: writes a data folder with SQLite to one file, even while the service runs. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .argument('<file>', 'file to write, which must not exist')
    .option('--with-key', 'include the encryption key; anyone who reads the file can then read the secrets')
    .action((file: string, flags: BackupFlags) => backup(terminal, file, flags));
}

async function backup(terminal: Terminal, file: string, flags: BackupFlags): Promise<void> {
  const config = loadConfig(terminal.env);
  const withKey = flags.withKey === true;
  if (config.databaseUrl !== null) {
    throw new CliError(
      'SVC_DATABASE_URL is set: back up PostgreSQL with pg_dump, and then the data folder (see docs/operating.md)',
    );
  }
  await requireDatabase(config);
  if (withKey && config.secretKey !== null) {
    throw new UsageError('--with-key is not possible: the key is in SVC_SECRET_KEY; keep it apart');
  }
  if (existsSync(file)) throw alreadyExists(file);
  if (!existsSync(path.dirname(file))) {
    throw new CliError(`the folder ${path.dirname(path.resolve(file))} does not exist: create it first`);
  }
  await noteDataFolder(terminal, config);
  const { writeBackup } = await import('../backup/write-backup.ts');
  const written = await writeBackup(config.dataDir, file, { withKey }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'EEXIST') throw alreadyExists(file);
    if (code.startsWith('SQLITE_')) throw unreadableDatabase(config.dataDir, error as Error);
    throw new CliError(`cannot write ${file} (${message}): free space, or choose another file`);
  });
  const { manifest, bytes, objects } = written;
  const { blobs = 0, archives = 0 } = objects;
  note(
    terminal,
    `wrote the database, ${counted(blobs, 'large message')} and ${counted(archives, 'SDK archive')}: ${Math.ceil(bytes / 1024)} KiB`,
  );
  noteKey(terminal, config, manifest);
  terminal.stdout.write(`${file}\n`);
}

function unreadableDatabase(folder: string, error: Error): CliError {
  const advice = isDamaged(error)
    ? 'its file is damaged: restore an earlier backup with svc restore'
    : 'if an older release wrote it, stop svc and copy the folder';
  return new CliError(`cannot back up the database in ${path.resolve(folder)} (${error.message}): ${advice}`);
}

function alreadyExists(file: string): CliError {
  return new CliError(`${file} exists already: choose another name`);
}

function noteKey(terminal: Terminal, { secretKey, dataDir }: Config, { key }: BackupManifest): void {
  if (key === 'included') {
    note(
      terminal,
      'WARNING: the backup has the encryption key; anyone who reads the file can read the secrets',
    );
  } else if (key === 'kept apart') {
    const where = secretKey === null ? path.resolve(keyFile(dataDir)) : 'SVC_SECRET_KEY';
    note(
      terminal,
      `WARNING: the backup does not have the encryption key (${where}): keep a copy of it apart from the backup; without it, secrets and tokens of deployments are lost`,
    );
  }
}
