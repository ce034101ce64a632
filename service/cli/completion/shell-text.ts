import type { CommandNode, OptionNode, ValueNode } from './command-tree.ts';

/** Quotes text for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The paths of all commands, such as `client build`. */
export function paths(nodes: readonly CommandNode[]): string[] {
  return nodes.map(({ path }) => path).filter((path) => path !== '');
}

/** A branch of `case` for each option with a value, matched by the path of its command and the option. */
export function valueCases(
  nodes: readonly CommandNode[],
  branch: (pattern: string, value: ValueNode) => string,
): string[] {
  return nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      option.value === undefined ? [] : [branch(pattern(path, option), option.value)],
    ),
  );
}

function pattern(path: string, { flags }: OptionNode): string {
  return flags.map((flag) => quoted(`${path} ${flag}`)).join('|');
}
