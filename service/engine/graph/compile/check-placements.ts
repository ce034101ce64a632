import { limits } from '../../../../specs/limits.ts';
import type { GraphDocument, GraphDocumentNode } from '../../../../specs/operations/graph-shapes.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Placement } from './resolve-placements.ts';

/** Checks the numeric settings of nodes against their bounds. */
export function checkSettings(nodes: readonly GraphDocumentNode[]): Diagnostic[] {
  return nodes.flatMap(({ id, timeout_seconds: timeout, retry }) => {
    const bounds: [field: string, value: number | undefined, least: number, most: number, whole: boolean][] =
      [
        ['timeout_seconds', timeout, 1, limits.maxFlowNodeSeconds, true],
        ['retry.max_attempts', retry?.max_attempts, 1, limits.maxRetryAttempts, true],
        ['retry.initial_ms', retry?.initial_ms, 1, limits.maxRetryDelayMs, true],
        ['retry.factor', retry?.factor, 1, 100, false],
        ['retry.max_ms', retry?.max_ms, retry?.initial_ms ?? 1, limits.maxRetryDelayMs, true],
      ];
    return bounds.flatMap(([field, value, least, most, whole]) => {
      if (value === undefined || (value >= least && value <= most && (!whole || Number.isInteger(value)))) {
        return [];
      }
      const kind = whole ? 'a whole number' : 'a number';
      const message = `node "${id}": ${field} must be ${kind} from ${least} to ${most}, not ${value}`;
      return [{ code: 'out_of_range', node: id, field, message }];
    });
  });
}

/** Checks that a flow of this mode can run the placed nodes. */
export function checkPlacements(
  { mode }: Pick<GraphDocument, 'mode'>,
  placements: readonly Placement[],
): Diagnostic[] {
  return placements.flatMap(({ placed: { id, retry }, node }) => {
    const problems: Diagnostic[] = [];
    const report = (code: string, message: string): void => {
      problems.push({ code, node: id, message: `node "${id}": ${message}` });
    };
    if (node.kind === 'generic') {
      report(
        'generic_node',
        `"${node.name}" is generic and has no message types: place an Instance that binds it`,
      );
    }
    if (node.mode === 'pipeline' && mode === 'unary') {
      report(
        'pipeline_node',
        `"${node.name}" is a pipeline node: only a flow of mode "pipeline" can contain it`,
      );
    }
    if (node.mode === 'pipeline' && retry) {
      report(
        'retry_of_stream',
        `"${node.name}" is a pipeline node, and streams cannot be retried: remove its retry policy`,
      );
    }
    return problems;
  });
}

/** Checks that every secret that a node declares is configured. */
export function checkSecrets(
  placements: readonly Placement[],
  configured: ReadonlySet<string>,
): Diagnostic[] {
  return placements.flatMap(({ placed: { id }, node }) =>
    node.requiredSecrets
      .filter((name) => !configured.has(name))
      .map((name) => ({
        code: 'secret_not_configured',
        node: id,
        message: `node "${id}" needs the secret "${name}", which is not configured: the operator sets it with svc secret set`,
      })),
  );
}
