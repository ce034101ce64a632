import type { ServedNode, ServedPackage } from '../container/protocol.ts';
import { messageDifference } from './message-difference.ts';
import type { PublishedContent, PublishedPorts } from './published-content.ts';
import { shortened } from './shortened.ts';

/**
 * Returns the first difference between a container's packages and the publication, as a sentence for the publisher; `undefined`
 * if there is none. A container may serve more packages and nodes than the published ones.
 */
export function packageDifference(
  published: PublishedContent,
  served: readonly ServedPackage[],
): string | undefined {
  const found =
    served.find(({ name, version }) => name === published.name && version === published.version) ??
    served.find(({ name, version }) => name === published.name && version === '');
  const difference = found
    ? contentDifference(published, found)
    : `it serves ${namesOf(served, published.name)}`;
  return (
    difference &&
    `the container does not serve ${published.name} ${published.version} as published: ${difference}`
  );
}

/**
 * Lists only the names of the same publisher: a wrong port may lead to the container of another tenant's
 * private package.
 */
function namesOf(served: readonly ServedPackage[], published: string): string {
  if (served.length === 0) return 'no package';
  const handle = published.slice(0, published.indexOf('/') + 1);
  const own = served.filter(({ name }) => name.startsWith(handle));
  if (own.length === 0) return 'other packages';
  const names = own.slice(0, 3).map(({ name, version }) => shortened(`${name} ${version}`.trim()));
  return own.length > 3 ? `${names.join(', ')} and others` : names.join(', ');
}

function contentDifference(published: PublishedContent, served: ServedPackage): string | undefined {
  const nodes = new Map(served.nodes.map((node) => [node.name, node]));
  for (const node of published.nodes) {
    const found = nodes.get(node.name);
    const difference = found ? nodeDifference(node, found) : `it has no node "${node.name}"`;
    if (difference !== undefined) return difference;
  }
  return served.descriptorSet.length > 0 ? messageDifference(published, served.descriptorSet) : undefined;
}

function nodeDifference(published: PublishedPorts, served: ServedNode): string | undefined {
  const ports = [
    ['input', published.inputMessage ?? '', served.inputMessage],
    ['output', published.outputMessage ?? '', served.outputMessage],
  ] as const;
  for (const [port, expected, found] of ports) {
    if (expected === found) continue;
    return `the ${port} of node "${published.name}" is ${portText(found)}, not ${portText(expected)}`;
  }
  if (served.mode === published.mode) return undefined;
  return `the mode of node "${published.name}" is "${shortened(served.mode)}", not "${published.mode}"`;
}

function portText(message: string): string {
  return message === '' ? 'open' : shortened(message);
}
