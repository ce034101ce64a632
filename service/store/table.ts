import { parseExactJson } from '../../specs/exact-json.ts';

/** PostgreSQL's type of a column, for statements that take arrays of values. */
export type ColumnType = 'text' | 'int4' | 'int8' | 'float8' | 'bytea';

/** How a field of a record is stored in its column, on both SQLite and PostgreSQL. */
interface Column<T> {
  type: ColumnType;
  write(value: T): unknown;
  read(value: unknown): T;
}

/** One column for each field of the record. The column's name is the field's name in snake_case. */
type Columns<R> = { readonly [F in keyof R]-?: Column<R[F]> };

/** The table of a record type, with a codec for each column. Made by `defineTable`. */
export interface Table<R> {
  name: string;
  /** All columns by field, even on the table that `withFields` returns. */
  columns: Columns<R>;
  /** The columns in the order of the fields. */
  fields: readonly { field: string; column: string; codec: Column<unknown> }[];
}

/** Defines the table of a record type. Its columns must match the migrations. */
export function defineTable<R>(name: string, columns: Columns<R>): Table<R> {
  const fields = Object.entries<Column<unknown>>(columns as Record<string, Column<unknown>>);
  return {
    name,
    columns,
    fields: fields.map(([field, codec]) => ({ field, column: columnName(field), codec })),
  };
}

/** Returns the table with the given fields only, for queries that need no others. */
export function withFields<R, F extends keyof R & string>(
  table: Table<R>,
  chosen: readonly F[],
): Table<Pick<R, F>> {
  const fields = table.fields.filter(({ field }) => (chosen as readonly string[]).includes(field));
  return { ...table, fields };
}

/** Text of any length. Values read are not checked against `T`. */
export function text<T extends string>(): Column<T> {
  return { type: 'text', write: (value) => value, read: (value) => value as T };
}

/** A whole number of 32 bits. */
export function integer(): Column<number> {
  return { type: 'int4', write: (value) => value, read: Number };
}

/** A whole number within 2^53, such as a time in epoch milliseconds. PostgreSQL's driver returns it as text. */
export function bigInteger(): Column<number> {
  return { type: 'int8', write: (value) => value, read: Number };
}

/** A floating-point number of 64 bits. */
export function real(): Column<number> {
  return { type: 'float8', write: (value) => value, read: Number };
}

/** A boolean, stored as 1 or 0 on both databases. */
export function flag(): Column<boolean> {
  return { type: 'int4', write: (value) => (value ? 1 : 0), read: (value) => value === 1 };
}

/**
 * JSON, stored as text on both databases, so that it is read back exactly as written. PostgreSQL's JSON types reorder keys and
 * normalize characters.
 */
export function json<T>(): Column<T> {
  return {
    type: 'text',
    write: (value) => JSON.stringify(value),
    read: (value) => JSON.parse(value as string) as T,
  };
}

/** Like `json`, for JSON that tenants write: numbers beyond 2^53 come back as they were written. */
export function exactJson<T>(): Column<T> {
  return { ...json(), read: (value) => parseExactJson(value as string) as T };
}

/** Bytes. A read returns a view of the driver's buffer. */
export function bytes(): Column<Uint8Array> {
  return {
    type: 'bytea',
    write: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    read: (value) => {
      const { buffer, byteOffset, byteLength } = value as Buffer;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
  };
}

/** A column that may be null, which is `null` in the record, too. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    type: column.type,
    write: (value) => (value === null ? null : column.write(value)),
    read: (value) => (value === null ? null : column.read(value)),
  };
}

/** Returns the snake_case name of a field: `tenant_id` of `tenantId`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the columns of the given fields. */
export function toRow<R>(table: Table<R>, fields: Partial<R>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      columnName(field),
      (table.columns as Record<string, Column<unknown>>)[field]?.write(value),
    ]),
  );
}

/** Returns the record of a row. `prefix` is the prefix of the row's column names, as a join selects them. */
export function fromRow<R>(table: Table<R>, row: Record<string, unknown>, prefix = ''): R {
  const record: Record<string, unknown> = {};
  for (const { field, column, codec } of table.fields) record[field] = codec.read(row[prefix + column]);
  return record as R;
}

/** Returns the columns for the select list of a join, which `fromRow` reads with the same prefix. */
export function prefixedColumns<R>({ name, fields }: Table<R>, prefix: string): string {
  return fields.map(({ column }) => `${name}.${column} as ${prefix}${column}`).join(', ');
}

/** Returns the names of the columns, qualified by the table. */
export function columnNames<R>(table: Table<R>): string[] {
  return table.fields.map(({ column }) => `${table.name}.${column}`);
}
