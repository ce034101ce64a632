import type { GraphDocument } from '../../../../specs/operations/graph-shapes.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { IdentifiedEdge } from './identify-edges.ts';

type Settings = Pick<GraphDocument, 'mode' | 'entry' | 'nodes' | 'compose' | 'mutation_enabled'>;

/** Warns about settings that the flow accepts but never uses. */
export function warnOfNoEffect(document: Settings, edges: readonly IdentifiedEdge[]): Diagnostic[] {
  return [...warnOfEntry(document, edges), ...(document.mode === 'pipeline' ? warnOfStreams(document) : [])];
}

/** Warns about an unused compose plan of the entry. Only an edge back to the entry uses it. */
function warnOfEntry({ entry, compose }: Settings, edges: readonly IdentifiedEdge[]): Diagnostic[] {
  if (entry === undefined || !Object.hasOwn(compose, entry) || edges.some(({ to }) => to === entry))
    return [];
  return [
    {
      code: 'compose_at_entry',
      node: entry,
      message: `node "${entry}" is the entry, which starts with the input of the flow, and no edge leads to it: remove its compose plan`,
    },
  ];
}

function warnOfStreams({ nodes, mutation_enabled: mutates }: Settings): Diagnostic[] {
  const retried = nodes.filter(({ retry }) => retry);
  const warnings: Diagnostic[] = retried.map(({ id }) => ({
    code: 'retry_in_pipeline',
    node: id,
    message: `node "${id}": a pipeline flow retries no calls: remove its retry policy`,
  }));
  if (mutates) {
    const message = 'the graph of a pipeline flow does not change while it runs: remove mutation_enabled';
    warnings.push({ code: 'mutation_in_pipeline', message });
  }
  return warnings;
}
