import { limits } from '../../../specs/limits.ts';
import type { PreviewBody } from '../../../specs/operations/preview.ts';
import { invalidPreview } from '../../errors/preview-errors.ts';
import type { Binding } from '../adapters/mapping.ts';
import { parseAdapter } from '../adapters/parse-adapter.ts';

/**
 * Returns the bindings of a preview request, which has either an adapter or a compose mapping. Every edge that a compose mapping reads
 * must have a sample.
 *
 * @throws ApiError 400, plain text
 */
export function previewBindings(body: PreviewBody): Binding[] {
  const bindings = bindingsOf(body);
  if (bindings.length > limits.previewFields) {
    throw invalidPreview(
      `the mapping has ${bindings.length} fields: a preview has at most ${limits.previewFields}`,
    );
  }
  const characters = bindings.reduce(
    (sum, { field, expression }) => sum + field.length + expression.length,
    0,
  );
  if (characters > limits.expressionCharactersPerGraph) {
    throw invalidPreview(
      `the mapping has ${characters} characters: a preview has at most ${limits.expressionCharactersPerGraph}`,
    );
  }
  return bindings;
}

function bindingsOf({ adapter, compose_mapping: compose, sources }: PreviewBody): Binding[] {
  if ((adapter === undefined) === (compose === undefined)) {
    throw invalidPreview('exactly one of adapter and compose_mapping is required');
  }
  const edges = new Set(sources.map((source) => source.edge_id));
  if (edges.size < sources.length) throw invalidPreview('sources: every edge_id must be unique');
  if (adapter !== undefined) {
    if (sources.length === 1) return fieldsOf(adapter);
    throw invalidPreview(`adapter requires exactly one entry in sources, got ${sources.length}`);
  }
  const adapters = Object.entries(compose?.edge_adapters ?? {});
  for (const [edge] of adapters) {
    if (!edges.has(edge)) throw withoutSample('compose_mapping.edge_adapters', edge);
  }
  const plan = compose?.compose_plan ?? {};
  const planned = Array.isArray(plan)
    ? plan.map(({ field, expression, src_edge_id: edge }) => ({ field, expression, ...(edge && { edge }) }))
    : fieldsOf(plan);
  for (const { field, expression, edge } of planned) {
    for (const read of [edge, pickedEdge(expression)]) {
      if (read !== undefined && !edges.has(read)) {
        throw withoutSample(`compose_mapping.compose_plan: the binding of field "${field}"`, read);
      }
    }
  }
  return [...adapters.flatMap(([edge, expressions]) => fieldsOf(expressions, edge)), ...planned];
}

function fieldsOf(expressions: Readonly<Record<string, string>>, edge?: string): Binding[] {
  return Object.entries(expressions).map(([field, expression]) => ({
    field,
    expression,
    ...(edge !== undefined && { edge }),
  }));
}

/** The edge that a field pick names. For CEL, the compiler reports missing edges. */
function pickedEdge(expression: string): string | undefined {
  const parsed = parseAdapter(expression);
  return parsed.ok && parsed.value.head.kind === 'pick' ? parsed.value.head.edge : undefined;
}

function withoutSample(place: string, edge: string) {
  return invalidPreview(
    `${place} reads edge "${edge}" (src_edge_id), which has no entry in sources: add one with its sample`,
  );
}
