import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { OutdatedDatabaseError, UnreachableDatabaseError } from '../store/database-errors.ts';
import { demoCommand } from './commands/demo.ts';
import { keyCommand } from './commands/key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { nodeCommand } from './commands/node.ts';
import { packageCommand } from './commands/package.ts';
import { serveCommand } from './commands/serve.ts';
import { tenantCommand } from './commands/tenant.ts';
import { CliError, note, type Terminal, UsageError } from './output.ts';

/** The command line: one line a command, each in its own file of `commands/`. */
export function buildProgram(terminal: Terminal): Command {
  return new Command('svc')
    .description('Publish typed nodes, call them over HTTP, and generate their SDKs.')
    .addCommand(serveCommand(terminal))
    .addCommand(migrateCommand(terminal))
    .addCommand(tenantCommand(terminal))
    .addCommand(keyCommand(terminal))
    .addCommand(nodeCommand(terminal))
    .addCommand(packageCommand(terminal))
    .addCommand(demoCommand(terminal));
}

/**
 * Runs one command line (`args` without the program's own name) and gives its exit code: 0 done, 1 failed, 2 misused. Every
 * failure is told on stderr.
 */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  const program = buildProgram(terminal);
  governAll(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already told; asking for help without a command counts as misuse, --help does not.
      return error.exitCode === 0 ? 0 : 2;
    }
    note(terminal, `svc: ${explain(error)}`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

/** Commander's settings are not inherited by commands that were made apart from the program. */
function governAll(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError(`(svc ${path(command)}--help shows what it takes)`)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'svc: ')),
    });
  for (const child of command.commands) governAll(child, terminal);
}

/** `key create ` for the command of that path, empty for the program. */
function path(command: Command): string {
  return command.parent === null ? '' : `${path(command.parent)}${command.name()} `;
}

/** Failures that say what to do are told by their message alone; anything else is a defect, and shows where it began. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = [CliError, UsageError, ConfigError, OutdatedDatabaseError, UnreachableDatabaseError];
  return foreseen.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
