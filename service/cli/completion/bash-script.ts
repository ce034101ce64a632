import type { CommandNode, ValueNode } from './command-tree.ts';
import { paths, quoted, valueCases } from './shell-text.ts';

/** Returns a script that bash loads with `source <(svc completion bash)`. */
export function bashScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map(
    ({ path, commands, options, argument }) => `    ${quoted(path)})
      flags=${quoted(options.flatMap(({ flags }) => flags).join(' '))}
      ${offer(commands.length > 0 ? commands.map(({ name }) => name) : argument)} ;;`,
  );
  const values = valueCases(nodes, (pattern, value) => `    ${pattern}) ${offer(value)}; flags= ;;`);
  return `# Completion of svc for bash: source <(svc completion bash)
_svc() {
  local at= files= flags= values= i
  local word=\${COMP_WORDS[COMP_CWORD]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths(nodes).map(quoted).join('|')}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  [[ $word == -* && $flags ]] && values=$flags files=
  COMPREPLY=()
  while IFS= read -r i; do
    COMPREPLY+=("$i")
  done < <(compgen \${files:+-f} -W "$values" -- "$word")
  [[ $files ]] && compopt -o filenames 2>/dev/null
  return 0
}
complete -F _svc svc
`;
}

function offer(value: ValueNode): string {
  return value === 'path' ? 'files=1 values=' : `files= values=${quoted(value.join(' '))}`;
}
