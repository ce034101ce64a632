import type { Database } from '../database.ts';
import { columnName, fromRow, type Table } from '../table.ts';
import { prepareSharedQuery } from './shared-query.ts';

/** Prepares the search for a record by the values of some fields, which identify it. It runs outside transactions. */
export function prepareFind<R>(
  table: Table<R>,
  keys: readonly (keyof R & string)[],
): (db: Database, values: readonly unknown[]) => Promise<R | undefined> {
  const columns = table.fields.map(({ column }) => column).join(', ');
  const where = keys.map((key) => `${columnName(key)} = ?`).join(' and ');
  const query = prepareSharedQuery(
    `select ${columns} from ${table.name} where ${where}`,
    keys.map((key) => table.columns[key].type),
  );
  return async (db, values) => {
    const [row] = await query(db, values);
    return row && fromRow(table, row);
  };
}
