import { Command, CommanderError } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config.ts';
import { DataFolderError } from '../store/data-folder.ts';
import { OutdatedDatabaseError, UnreachableDatabaseError } from '../store/database-errors.ts';
import { CliError, note, type Terminal, UsageError } from './output.ts';

type MakeCommand = (terminal: Terminal) => Command;

/**
 * The commands in the order of the help. Each is loaded on demand, so that `svc key list` does not load the server and the
 * generator.
 */
const commands: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  tenant: async () => (await import('./commands/tenant.ts')).tenantCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  secret: async () => (await import('./commands/secret.ts')).secretCommand,
  node: async () => (await import('./commands/node.ts')).nodeCommand,
  sdk: async () => (await import('./commands/sdk.ts')).sdkCommand,
  init: async () => (await import('./commands/init.ts')).initCommand,
  package: async () => (await import('./commands/package.ts')).packageCommand,
  flow: async () => (await import('./commands/flow.ts')).flowCommand,
  execution: async () => (await import('./commands/execution.ts')).executionCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
};

/** Builds the program with the command that `first` names, or with all commands for help and error messages. */
async function buildProgram(terminal: Terminal, first: string | undefined): Promise<Command> {
  const program = new Command('svc')
    .description('Publish typed nodes, call them over HTTP, and generate SDKs for them.')
    .version(project.version, '--version', 'print the version of svc')
    // After a command, the option belongs to the command: `svc sdk render --version 2`.
    .enablePositionalOptions();
  const named = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaded = await Promise.all((named ? [named] : Object.values(commands)).map((load) => load()));
  for (const make of loaded) program.addCommand(make(terminal));
  return program;
}

/**
 * Runs one command line, without the program's name, and returns the exit code: 0 for success, 1 for a failure, 2 for wrong
 * usage. Errors are printed to stderr.
 */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  const program = await buildProgram(terminal, args[0]);
  configureAll(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error. A missing command is wrong usage, --help is not.
      return error.exitCode === 0 ? 0 : 2;
    }
    note(terminal, `svc: ${explain(error)}`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

/** Commands that are created apart from the program do not inherit commander's settings. */
function configureAll(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError(`Run "svc ${path(command)}--help" for usage.`)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'svc: ')),
    });
  for (const child of command.commands) configureAll(child, terminal);
}

/** The command's path with a trailing space, such as `key create `. Empty for the program. */
function path(command: Command): string {
  return command.parent === null ? '' : `${path(command.parent)}${command.name()} `;
}

/** Returns the message of an expected failure. Any other error is a bug, and gets its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected = [
    CliError,
    UsageError,
    ConfigError,
    DataFolderError,
    OutdatedDatabaseError,
    UnreachableDatabaseError,
  ];
  return expected.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
