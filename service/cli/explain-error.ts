import { ConfigError } from '../config.ts';
import { DataFolderError } from '../store/data-folder.ts';
import {
  isDamaged,
  OutdatedDatabaseError,
  statementReason,
  UnreachableDatabaseError,
} from '../store/database-errors.ts';
import { CliError, UsageError } from './output.ts';

const expected = [
  CliError,
  UsageError,
  ConfigError,
  DataFolderError,
  OutdatedDatabaseError,
  UnreachableDatabaseError,
];

/**
 * Returns the text to print for a failed command, and its exit code. The text of an expected failure is its message. Any other
 * error is a bug, and its text includes the stack.
 */
export function explainError(error: unknown): { text: string; code: number } {
  const code = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  if (!(error instanceof Error)) return { text: String(error), code };
  const known = expected.some((kind) => error instanceof kind);
  const advice = databaseAdvice(error);
  if (advice !== undefined) return { text: `${advice} (${statementReason(error)})`, code };
  return { text: known ? error.message : (error.stack ?? error.message), code };
}

/** Returns advice for a database error that is not a bug. */
function databaseAdvice(error: Error): string | undefined {
  if (isDamaged(error)) return 'the database file is damaged: restore a backup with svc restore';
  // PostgreSQL's code insufficient_privilege.
  if ((error as { code?: unknown }).code !== '42501') return undefined;
  return 'the user of SVC_DATABASE_URL lacks a privilege: make it the owner of the database';
}
