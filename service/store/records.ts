import type { Tx } from './database.ts';
import { columnName, columnNames, fromRow, type Table, toRow } from './table.ts';

type Row = Record<string, unknown>;

/** Rows per statement. SQLite allows at most 500 in one insert. */
const insertChunk = 200;

export async function insertRecords<R>(tx: Tx, table: Table<R>, records: readonly R[]): Promise<void> {
  for (let start = 0; start < records.length; start += insertChunk) {
    const rows = records
      .slice(start, start + insertChunk)
      .map((record) => toRow(table, record as Partial<R>));
    await tx(table.name).insert(rows);
  }
}

/** Returns a record whose fields equal `where`. `null` matches an absent value. */
export async function findRecord<R>(
  tx: Tx,
  table: Table<R>,
  where: Partial<NoInfer<R>>,
): Promise<R | undefined> {
  const row = (await tx(table.name).select(columnNames(table)).where(toRow<R>(table, where)).first()) as
    Row | undefined;
  return row && fromRow(table, row);
}

/** Returns the records whose fields equal `where`, ordered by the fields of `order`. */
export async function listRecords<R>(
  tx: Tx,
  table: Table<R>,
  where: Partial<NoInfer<R>>,
  order: readonly (keyof R & string)[],
): Promise<R[]> {
  const rows = (await tx(table.name)
    .select(columnNames(table))
    .where(toRow<R>(table, where))
    .orderBy(order.map(columnName))) as Row[];
  return rows.map((row) => fromRow(table, row));
}

/** Updates the records whose fields equal `where`, and returns their number. */
export async function updateRecords<R>(
  tx: Tx,
  table: Table<R>,
  where: Partial<NoInfer<R>>,
  changes: Partial<NoInfer<R>>,
): Promise<number> {
  return tx(table.name).where(toRow<R>(table, where)).update(toRow<R>(table, changes));
}

/** Deletes the records whose fields equal `where`, and returns their number. */
export async function deleteRecords<R>(tx: Tx, table: Table<R>, where: Partial<NoInfer<R>>): Promise<number> {
  return tx(table.name).where(toRow<R>(table, where)).delete();
}
