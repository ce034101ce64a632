import type { NodeDeclaration } from '../../specs/operations/package-shapes.ts';
import { similarNames } from '../errors/similar-names.ts';

/**
 * Returns the problems of a package's declared nodes. Each message names the node and says what to do.
 *
 * @param messages full names of all messages that the package's protos define or import
 */
export function checkNodes(nodes: readonly NodeDeclaration[], messages: ReadonlySet<string>): string[] {
  const known = {
    messages,
    byLastPart: Map.groupBy(messages, lastPart),
    corrected: new Map<string, string[]>(),
  };
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    const problems = [...checkPort(node, 'input', known), ...checkPort(node, 'output', known)];
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
  byLastPart: ReadonlyMap<string, readonly string[]>;
  /** The similar last parts found so far, by unknown name. */
  corrected: Map<string, string[]>;
}

/**
 * Maximum number of unknown names for which similar ones are looked up. Each lookup compares the name with
 * those of all messages.
 */
const maxCorrected = 5;

/** Maximum number of similar names that a problem lists. */
const maxHints = 3;

function checkPort(node: NodeDeclaration, port: 'input' | 'output', known: KnownMessages): string[] {
  const name = node[port];
  const open = node.generic.includes(port);
  if (open && node.kind === 'standard') return [`only a node of kind generic can leave its ${port} open`];
  if (open)
    return name === undefined ? [] : [`${port} is listed under generic, so it cannot name a message too`];
  if (name === undefined) return [`${port} is missing: name the message`];
  if (known.messages.has(name)) return [];
  return [`${port} message "${name}" is not in the protos: ${hintOn(name, known)}`];
}

function hintOn(name: string, known: KnownMessages): string {
  if (name.startsWith('google.protobuf.'))
    return 'import the file of google/protobuf that defines it in one of the protos';
  const near = meantParts(lastPart(name), known)
    .flatMap((part) => known.byLastPart.get(part)?.slice(0, maxHints) ?? [])
    .slice(0, maxHints);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'use the full name, with the proto package';
}

function meantParts(part: string, { byLastPart, corrected }: KnownMessages): string[] {
  if (byLastPart.has(part)) return [part];
  const found = corrected.get(part);
  if (found || corrected.size >= maxCorrected) return found ?? [];
  const similar = similarNames(part, byLastPart.keys());
  corrected.set(part, similar);
  return similar;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
