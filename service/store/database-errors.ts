/** The database can't be opened; the message names it without its password. */
export class UnreachableDatabaseError extends Error {
  override readonly name = 'UnreachableDatabaseError';
}

/** The schema is not the one that this version of the program speaks. */
export class OutdatedDatabaseError extends Error {
  override readonly name = 'OutdatedDatabaseError';
}

/**
 * Whether `error` says that a unique index refused a row. `constraint` is the index's name, by knex's convention
 * `<table>_<columns>_unique`; without it any unique index or primary key counts.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const violated = violatedIndex(error);
  return violated !== undefined && (constraint === undefined || violated === constraint);
}

/** Name of the unique index that refused a row: PostgreSQL gives it, SQLite gives the columns that it is named for. */
function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  if (code === '23505') return typeof constraint === 'string' ? constraint : '';
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  const told = 'UNIQUE constraint failed: ';
  const columns = error.message.slice(error.message.lastIndexOf(told) + told.length).split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  return [table, ...columns.map((column) => column.slice(table.length + 1)), 'unique'].join('_');
}
