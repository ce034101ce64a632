import type { CommandNode, ValueNode } from './command-tree.ts';
import { paths, quoted, valueCases } from './shell-text.ts';

/** Returns a script that zsh loads with `source <(svc completion zsh)`, or as `_svc` in a folder of `fpath`. */
export function zshScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map(
    ({ path, commands, options, argument }) => `    ${quoted(path)})
      flags=(${described(options.flatMap(({ flags, description }) => flags.map((name) => ({ name, description }))))})
      ${commands.length > 0 ? `commands=(${described(commands)})` : offer(argument)} ;;`,
  );
  const values = valueCases(
    nodes,
    (pattern, value) => `    ${pattern}) flags=() commands=(); ${offer(value)} ;;`,
  );
  return `#compdef svc
# Completion of svc for zsh: source <(svc completion zsh)
_svc() {
  local at='' i files=''
  local -a flags commands values
  for ((i = 2; i < CURRENT; i++)); do
    case "\${at:+$at }\${words[i]}" in
      ${paths(nodes).map(quoted).join('|')}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* && $#flags -gt 0 ]]; then
    _describe -o option flags
  elif (( $#commands )); then
    _describe command commands
  elif [[ -n $files ]]; then
    _files
  elif (( $#values )); then
    _describe value values
  fi
}
if [[ "\${funcstack[1]}" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function described(entries: readonly { name: string; description: string }[]): string {
  return entries.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ');
}

function offer(value: ValueNode): string {
  return value === 'path' ? 'files=1 values=()' : `files='' values=(${value.map(quoted).join(' ')})`;
}
