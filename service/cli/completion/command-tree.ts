import type { Argument, Command, Option } from 'commander';

/** What a shell offers at a position in the command line. */
export interface CommandNode {
  /** Names of the commands from the program on, such as `client build`. Empty for the program. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly OptionNode[];
  /** What the first argument is. */
  argument: ValueNode;
}

/** An option that the help of a command shows. */
export interface OptionNode {
  /** `--language`, `-h` */
  flags: readonly string[];
  description: string;
  /** What follows the option; `undefined` if nothing does. */
  value: ValueNode | undefined;
}

/** A value: one of several, the path of a file or folder, or any text (an empty list). */
export type ValueNode = 'path' | readonly string[];

/** Lists a program and all of its commands, with what their own help shows. */
export function commandTree(program: Command): CommandNode[] {
  return nodesOf(program, '');
}

function nodesOf(command: Command, path: string): CommandNode[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const node: CommandNode = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: help.subcommandDescription(one) })),
    options: help.visibleOptions(command).map(optionNode),
    argument: valueOf(command.registeredArguments[0]),
  };
  const children = commands.flatMap((one) =>
    nodesOf(one, path === '' ? one.name() : `${path} ${one.name()}`),
  );
  return [node, ...children];
}

function optionNode(option: Option): OptionNode {
  return {
    flags: [option.long, option.short].filter((flag) => flag !== undefined),
    description: option.description,
    value: option.required || option.optional ? valueOf(option) : undefined,
  };
}

/** The name of a value says whether it is a path. */
function valueOf(given: Option | Argument | undefined): ValueNode {
  if (given === undefined) return [];
  const name = 'flags' in given ? given.flags : given.name();
  return /\b(?:file|dir|module)\b/.test(name) ? 'path' : (given.argChoices ?? []);
}
