import assert from 'node:assert/strict';
import { apiKeys } from '../../../service/store/api-keys.ts';
import type { Database } from '../../../service/store/database.ts';
import { executions, ownedExecutions } from '../../../service/store/executions.ts';
import { packages } from '../../../service/store/packages.ts';
import { type Table } from '../../../service/store/table.ts';
import { tenants } from '../../../service/store/tenants.ts';
import { eachDatabase } from '../../support/databases.ts';

/** SQLite's declared types, as knex writes them, by PostgreSQL's. */
const declaredTypes: Readonly<Record<string, string>> = {
  text: 'text',
  int4: 'integer',
  int8: 'bigint',
  float8: 'float',
  bytea: 'blob',
};

describe('table definitions', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    const migratedTypes = async (table: string): Promise<Map<string, string>> => {
      if (db.dialect === 'sqlite') {
        const rows = await db.knex.raw<{ name: string; type: string }[]>(
          'select name, lower(type) as type from pragma_table_info(?)',
          [table],
        );
        return new Map(rows.map(({ name, type }) => [name, type]));
      }
      const rows = await db
        .knex<{ table_name: string; column_name: string; udt_name: string }>('information_schema.columns')
        .select('column_name', 'udt_name')
        .where({ table_name: table });
      return new Map(rows.map((row) => [row.column_name, row.udt_name]));
    };

    const tables: Pick<Table<unknown>, 'name' | 'fields'>[] = [
      apiKeys,
      executions,
      ownedExecutions,
      packages,
      tenants,
    ];
    for (const { name, fields } of tables) {
      it(`of ${name} match the types of its ${fields.length} migrated columns`, async () => {
        const migrated = await migratedTypes(name);
        for (const { column, codec } of fields) {
          const expected = db.dialect === 'sqlite' ? declaredTypes[codec.type] : codec.type;
          assert.equal(migrated.get(column), expected, column);
        }
      });
    }
  });
});
