import { Command, CommanderError } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config.ts';
import { DataFolderError } from '../store/data-folder.ts';
import { OutdatedDatabaseError, UnreachableDatabaseError } from '../store/database-errors.ts';
import { CliError, note, type Terminal, UsageError } from './output.ts';

type MakeCommand = (terminal: Terminal) => Command;

/**
 * The commands, one line each, in the order of the help. Each is loaded when it is asked for: `svc key list` need not wait for
 * the server and the generator.
 */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  tenant: async () => (await import('./commands/tenant.ts')).tenantCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  secret: async () => (await import('./commands/secret.ts')).secretCommand,
  node: async () => (await import('./commands/node.ts')).nodeCommand,
  sdk: async () => (await import('./commands/sdk.ts')).sdkCommand,
  package: async () => (await import('./commands/package.ts')).packageCommand,
  flow: async () => (await import('./commands/flow.ts')).flowCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
};

/** The command line with the one command that `first` names, or with all of them for its help and its complaints. */
async function buildProgram(terminal: Terminal, first: string | undefined): Promise<Command> {
  const program = new Command('svc')
    .description('Publish typed nodes, call them over HTTP, and generate their SDKs.')
    .version(project.version, '--version', 'print the version of svc')
    // Behind a command the option is the command's: `svc sdk render --version 2`.
    .enablePositionalOptions();
  const named = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaded = await Promise.all((named ? [named] : Object.values(commands)).map((load) => load()));
  for (const make of loaded) program.addCommand(make(terminal));
  return program;
}

/**
 * Runs one command line (`args` without the program's own name) and gives its exit code: 0 done, 1 failed, 2 misused. Every
 * failure is told on stderr.
 */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  const program = await buildProgram(terminal, args[0]);
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
  const foreseen = [
    CliError,
    UsageError,
    ConfigError,
    DataFolderError,
    OutdatedDatabaseError,
    UnreachableDatabaseError,
  ];
  return foreseen.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
