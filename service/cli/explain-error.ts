import { ConfigError } from '../config.ts';
import { DataFolderError } from '../store/data-folder.ts';
import { OutdatedDatabaseError, UnreachableDatabaseError } from '../store/database-errors.ts';
import { CliError, UsageError } from './output.ts';

const expected = [
  CliError,
  UsageError,
  ConfigError,
  DataFolderError,
  OutdatedDatabaseError,
  UnreachableDatabaseError,
];

/** What to do about errors of the databases that are not bugs, by their codes. */
const adviceByCode: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, 'the database file is damaged: restore a backup with svc restore'],
  [/^42501$/, 'the user of SVC_DATABASE_URL lacks a privilege: make it the owner of the database'],
];

/**
 * Returns the text to print for a failed command, and its exit code. The text of an expected failure is its message. Any other
 * error is a bug, and its text includes the stack.
 */
export function explainError(error: unknown): { text: string; code: number } {
  const code = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  if (!(error instanceof Error)) return { text: String(error), code };
  const known = expected.some((kind) => error instanceof kind);
  const databaseCode = String((error as { code?: unknown }).code);
  const advice = adviceByCode.find(([pattern]) => pattern.test(databaseCode))?.[1];
  // knex puts the statement before the reason.
  if (advice !== undefined) return { text: `${advice} (${error.message.split(' - ').at(-1) ?? ''})`, code };
  return { text: known ? error.message : (error.stack ?? error.message), code };
}
