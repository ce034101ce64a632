import type { NodeDeclaration } from '../../specs/operations/package-shapes.ts';
import { similarNames } from '../errors/similar-names.ts';

/**
 * Returns the problems of a package's declared nodes. Each message names the node and says what to do.
 *
 * @param messages full names of all messages that the package's protos define or import
 */
export function checkNodes(nodes: readonly NodeDeclaration[], messages: ReadonlySet<string>): string[] {
  const similar = Map.groupBy(messages, lastPart);
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    const problems = [
      ...checkPort(node, 'input', { messages, similar }),
      ...checkPort(node, 'output', { messages, similar }),
    ];
    if (node.kind === 'generic' && node.generic.length === 0) {
      problems.push('a generic node opens a port: list "input", "output" or both under generic');
    }
    if (seen.has(node.name)) problems.push('the name is declared twice');
    seen.add(node.name);
    return problems.map((problem) => `node "${node.name}": ${problem}`);
  });
}

interface KnownMessages {
  messages: ReadonlySet<string>;
  /** Full names by their last part. */
  similar: ReadonlyMap<string, readonly string[]>;
}

/** Maximum number of similar names that a problem lists. */
const maxHints = 3;

function checkPort(
  node: NodeDeclaration,
  port: 'input' | 'output',
  { messages, similar }: KnownMessages,
): string[] {
  const name = node[port];
  const open = node.generic.includes(port);
  if (open && node.kind === 'standard') return [`only a node of kind generic can leave its ${port} open`];
  if (open)
    return name === undefined ? [] : [`${port} is listed under generic, so it cannot name a message too`];
  if (name === undefined) return [`${port} is missing: name the message`];
  if (messages.has(name)) return [];
  return [`${port} message "${name}" is not in the protos: ${hintOn(name, similar)}`];
}

function hintOn(name: string, similar: KnownMessages['similar']): string {
  if (name.startsWith('google.protobuf.'))
    return 'import the file of google/protobuf that defines it in one of the protos';
  const part = lastPart(name);
  const parts = similar.has(part) ? [part] : similarNames(part, [...similar.keys()]);
  const near = parts.flatMap((each) => similar.get(each) ?? []).slice(0, maxHints);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'use the full name, with the proto package';
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
