import type { Knex } from 'knex';
import { loopTurns } from '../work/turn-budget.ts';
import type { Tx } from './database.ts';
import { columnName, columnNames, fromRow, type Table, toRow } from './table.ts';

type Row = Record<string, unknown>;

/** Rows per statement. SQLite allows at most 500 in one insert. */
const insertChunk = 200;

/**
 * Inserts records, many per statement. Call it in a transaction if all or none must be stored. Fails if an index or a constraint
 * refuses a row; see `isUniqueViolation`.
 */
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

/** Rows of one part of a list. */
const partRows = 100;

/**
 * Reads a long list in parts, so that it does not occupy the main thread. The first part is empty if there are no rows.
 *
 * @param rowsOf makes a query for rows with `created_at` and `id`, without an order. Each part runs it once.
 * @param order by the time of creation: oldest first, or newest first
 */
export async function* readParts(
  rowsOf: () => Knex.QueryBuilder,
  order: 'asc' | 'desc' = 'asc',
): AsyncGenerator<Row[], void, undefined> {
  const sign = order === 'asc' ? '>' : '<';
  let last: Row | undefined;
  do {
    const query = rowsOf()
      .orderBy([
        { column: 'created_at', order },
        { column: 'id', order },
      ])
      .limit(partRows);
    if (last)
      void query.whereRaw(`(created_at, id) ${sign} (?, ?)`, [last.created_at, last.id] as Knex.Value[]);
    const rows = (await query) as Row[];
    yield rows;
    last = rows.length === partRows ? rows.at(-1) : undefined;
  } while (last);
}

/** Reads all parts of a list. Call it outside transactions: it yields to other work between parts. */
export async function wholeList<R>(parts: AsyncIterable<readonly R[]>): Promise<R[]> {
  const records: R[] = [];
  for await (const part of parts) {
    records.push(...part);
    await loopTurns.yieldIfSpent();
  }
  return records;
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
