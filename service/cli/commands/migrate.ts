import { Command } from 'commander';
import { migrateDatabase } from '../../store/migrate.ts';
import { withDatabase } from '../open-store.ts';
import { note, printResult, type Terminal } from '../output.ts';

/** `svc migrate`: brings the database up to date; SQLite has been by the time it is open. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description('Bring the database up to date (SQLite does so by itself)')
    .option('--json', 'print the result as JSON')
    .action((options: { json?: boolean }) =>
      withDatabase(terminal, async (db) => {
        const applied = await migrateDatabase(db);
        if (applied.length === 0) note(terminal, 'the database is up to date');
        if (applied.length > 0 || options.json) {
          printResult(terminal, options, { applied }, applied.join('\n'));
        }
      }),
    );
}
