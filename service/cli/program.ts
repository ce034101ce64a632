import { type Command, CommanderError } from 'commander';
import { bareProgram, commands } from './all-commands.ts';
import { note, type Terminal } from './output.ts';

/** Builds the program with the command that `args` name, or with the names of all commands for help and error messages. */
async function buildProgram(terminal: Terminal, args: readonly string[]): Promise<Command> {
  const program = bareProgram();
  const name = (args[0] === 'help' ? args[1] : args[0]) ?? '';
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (named) {
    const make = await named.load();
    return program.addCommand(make(terminal).description(named.summary));
  }
  for (const [each, { summary }] of Object.entries(commands)) program.command(each).description(summary);
  return program;
}

/**
 * Runs one command line, without the program's name, and returns the exit code: 0 for success, 1 for a failure, 2 for wrong
 * usage. Errors are printed to stderr.
 */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  const program = await buildProgram(terminal, args);
  program.hook('preAction', (_, command) => {
    refuseEmptyArguments(command);
  });
  configureAll(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error. A missing command is wrong usage, --help is not.
      return error.exitCode === 0 ? 0 : 2;
    }
    // Loaded here, because it imports the errors of the whole service.
    const { explainError } = await import('./explain-error.ts');
    const { text, code } = explainError(error);
    note(terminal, `svc: ${text}`);
    return code;
  }
}

/**
 * Rejects an empty argument, which is not valid for any command. As part of a path it would address another route: the list
 * instead of one of its entries.
 */
function refuseEmptyArguments(command: Command): void {
  const { args, registeredArguments: declared } = command;
  const empty = declared[Math.min(args.indexOf(''), declared.length - 1)];
  if (empty === undefined) return;
  const name = empty.required ? `<${empty.name()}>` : `[${empty.name()}]`;
  command.error(`error: ${name} is empty: is a shell variable unset?`);
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
