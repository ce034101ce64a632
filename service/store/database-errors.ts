/** The database cannot be opened. The message contains no password. */
export class UnreachableDatabaseError extends Error {
  override readonly name = 'UnreachableDatabaseError';
}

/** The schema does not match this version of the program. */
export class OutdatedDatabaseError extends Error {
  override readonly name = 'OutdatedDatabaseError';
}

/**
 * Reports whether a unique index refused a row. `constraint` is the name of the index in knex's form
 * `<table>_<columns>_unique`. Without it, any unique index or primary key matches.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const violated = violatedIndex(error);
  return violated !== undefined && (constraint === undefined || violated === constraint);
}

/** Returns the name of the unique index. PostgreSQL reports it. For SQLite it is derived from the reported columns. */
function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  if (code === '23505') return typeof constraint === 'string' ? constraint : '';
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  const prefix = 'UNIQUE constraint failed: ';
  const columns = error.message.slice(error.message.lastIndexOf(prefix) + prefix.length).split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  return [table, ...columns.map((column) => column.slice(table.length + 1)), 'unique'].join('_');
}

/** Connections that are lost, refused, shut down or exhausted, and a read-only standby. */
const unavailablePostgres =
  /^(08|53|57P0|25006$|ECONN(REFUSED|RESET)$|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$)/;

/** A full disk, a failing disk, a file that cannot be opened or written, and a lock that another process holds for a long time. */
const unavailableSqlite = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY)/;

/** Reports whether SQLite found that its file is damaged, or is not a database. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code));
}

/** Returns the reason of a failed statement, without the statement, which knex puts before it. */
export function statementReason({ message }: Error): string {
  return message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '');
}

/**
 * Reports whether the database could not be reached, or currently accepts no data. The operation may still have been
 * committed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, message } = error as Error & { code?: unknown };
  return (
    name === 'KnexTimeoutError' ||
    unavailablePostgres.test(String(code)) ||
    unavailableSqlite.test(String(code)) ||
    // The driver reports no code for these errors.
    /Connection terminated|Connection ended|connection is closed|is not queryable/.test(message)
  );
}

/**
 * Reports whether the database refused an operation: invalid data, violated constraints, exceeded limits, serialization failures
 * and deadlocks. The operations of a refused batch may succeed one by one.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code);
  return isUniqueViolation(error) || code.startsWith('SQLITE_CONSTRAINT') || /^(2[23]|40|54)/.test(code);
}
