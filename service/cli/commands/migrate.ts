import { Command } from 'commander';
import { withDatabase } from '../with-database.ts';
import { note, printResult, type Terminal } from '../output.ts';

/** `svc migrate`: applies pending migrations. Opening a SQLite database has already applied them. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .option('--json', 'print the result as JSON')
    .action((options: { json?: boolean }) =>
      withDatabase(terminal, async (db) => {
        const { migrateDatabase } = await import('../../store/migrate.ts');
        const applied = await migrateDatabase(db);
        if (applied.length === 0) note(terminal, 'the database is up to date');
        if (applied.length > 0 || options.json) {
          printResult(terminal, options, { applied }, applied.join('\n'));
        }
      }),
    );
}
