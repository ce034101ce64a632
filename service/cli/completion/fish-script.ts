import type { CommandNode, ValueNode } from './command-tree.ts';
import { paths } from './shell-text.ts';

/** Returns a script that fish loads with `svc completion fish | source`. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options, argument }) => {
    const at = `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`),
      ...(commands.length > 0 || argument.length === 0 ? [] : [`${at} ${offer(argument)}`]),
      ...options.map(({ flags, description, value }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        const parts = [
          at,
          ...names,
          ...(value === undefined ? [] : [value === 'path' ? '-r' : '-x', offer(value)]),
          '-d',
          quoted(description),
        ];
        return parts.filter((part) => part !== '').join(' ');
      }),
    ];
  });
  return `# Completion of svc for fish: svc completion fish | source
function __svc_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    if contains -- "$next" ${paths(nodes).map(quoted).join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end
complete -c svc -f
${lines.join('\n')}
`;
}

function offer(value: ValueNode): string {
  if (value === 'path') return '-F';
  return value.length === 0 ? '' : `-a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
