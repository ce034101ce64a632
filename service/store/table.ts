/** How one field of a record is written to and read from its column, alike on SQLite and PostgreSQL. */
export interface Column<T> {
  write(value: T): unknown;
  read(value: unknown): T;
}

/** One column for every field of the record; the column's name is the field's in snake_case. */
export type Columns<R> = { readonly [F in keyof R]-?: Column<R[F]> };

export interface Table<R> {
  name: string;
  columns: Columns<R>;
  /** The fields with their columns' names, worked out once. */
  fields: readonly { field: string; column: string; codec: Column<unknown> }[];
}

export function defineTable<R>(name: string, columns: Columns<R>): Table<R> {
  const fields = Object.entries<Column<unknown>>(columns as Record<string, Column<unknown>>);
  return {
    name,
    columns,
    fields: fields.map(([field, codec]) => ({ field, column: columnName(field), codec })),
  };
}

export function text<T extends string>(): Column<T> {
  return { write: (value) => value, read: (value) => value as T };
}

/** Whole numbers within 2^53, epoch milliseconds too. PostgreSQL's driver gives int8 as text. */
export function integer(): Column<number> {
  return { write: (value) => value, read: Number };
}

export function real(): Column<number> {
  return { write: (value) => value, read: Number };
}

/** Yes or no, kept as 1 or 0 on both databases. */
export function flag(): Column<boolean> {
  return { write: (value) => (value ? 1 : 0), read: (value) => value === 1 };
}

/**
 * JSON, kept as text on both databases: it comes back exactly as it went in, order of keys and every character included, which
 * PostgreSQL's own JSON types do not promise.
 */
export function json<T>(): Column<T> {
  return { write: (value) => JSON.stringify(value), read: (value) => JSON.parse(value as string) as T };
}

/** Bytes, a view on what the driver read. */
export function bytes(): Column<Uint8Array> {
  return {
    write: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    read: (value) => {
      const { buffer, byteOffset, byteLength } = value as Buffer;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
  };
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    write: (value) => (value === null ? null : column.write(value)),
    read: (value) => (value === null ? null : column.read(value)),
  };
}

export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The row of the fields that are given. */
export function toRow<R>(table: Table<R>, fields: Partial<R>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      columnName(field),
      (table.columns as Record<string, Column<unknown>>)[field]?.write(value),
    ]),
  );
}

/** The record of a row; `prefix` is what the row's columns are called by before their names, as in a join. */
export function fromRow<R>(table: Table<R>, row: Record<string, unknown>, prefix = ''): R {
  const record: Record<string, unknown> = {};
  for (const { field, column, codec } of table.fields) record[field] = codec.read(row[prefix + column]);
  return record as R;
}

/** Names of the columns, qualified by the table. */
export function columnNames<R>(table: Table<R>): string[] {
  return table.fields.map(({ column }) => `${table.name}.${column}`);
}
