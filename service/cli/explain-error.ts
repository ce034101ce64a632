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

/**
 * Returns the text to print for a failed command, and its exit code. The text of an expected failure is its message. Any other
 * error is a bug, and its text includes the stack.
 */
export function explainError(error: unknown): { text: string; code: number } {
  const code = error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  if (!(error instanceof Error)) return { text: String(error), code };
  const known = expected.some((kind) => error instanceof kind);
  return { text: known ? error.message : (error.stack ?? error.message), code };
}
