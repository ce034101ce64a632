import { edgeAdapterFailure, edgeConditionFailure } from '../../../errors/edge-errors.ts';
import { bindingsOf, compileSteps } from '../../adapters/compile-mapping.ts';
import type { FieldMapping, MappingTypes } from '../../adapters/mapping.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import { withinBudget } from '../../work/work-meter.ts';
import type { CompiledEdge } from '../compiled-graph.ts';
import { type Diagnostic, diagnosticText } from '../diagnostic.ts';
import type { EdgeOutcome, LoadedEdge } from '../loaded-graph.ts';
import type { NodeTypes } from '../node-types.ts';

interface EdgeEndTypes {
  source: NodeTypes;
  target: NodeTypes;
  /** Whether a compose plan builds the target's input. */
  composed: boolean;
}

type LinkedEdge =
  | { ok: true; evaluate: LoadedEdge['evaluate']; warnings: Diagnostic[] }
  /** Evaluating the edge fails with the problems. */
  | { ok: false; evaluate: LoadedEdge['evaluate']; problems: Diagnostic[] };

/**
 * Compiles the condition of an edge, and the adapter that builds the target's input. Yields before each field, so that callers can
 * interleave other work.
 */
export function* linkEdge(
  cel: CelCompiler,
  edge: CompiledEdge,
  ends: EdgeEndTypes,
): Generator<undefined, LinkedEdge> {
  const problems: Diagnostic[] = [];
  const condition = linkCondition(cel, edge, ends, problems);
  const mapping = yield* linkMapping(cel, edge, ends, problems);
  if (problems.length > 0) {
    const kind = problems.some(({ code }) => code === 'invalid_condition')
      ? 'EDGE_CONDITION'
      : 'EDGE_ADAPTER';
    const error = diagnosticText(problems);
    return { ok: false, problems, evaluate: () => ({ pass: false, error, kind }) };
  }
  const conditionFailed = (detail: string): EdgeOutcome => ({
    pass: false,
    error: edgeConditionFailure(edge, detail),
    kind: 'EDGE_CONDITION',
  });
  const adapterFailed = (detail: string): EdgeOutcome => ({
    pass: true,
    error: edgeAdapterFailure(edge, detail),
    kind: 'EDGE_ADAPTER',
  });
  return {
    ok: true,
    warnings: warningsOf(edge, ends),
    evaluate: (output) => {
      const { bytes, meter } = output;
      // Without a condition or a mapping, the bytes pass unchanged and are never decoded.
      const read = condition || mapping ? output.decode(ends.source.output) : undefined;
      if (read?.ok === false) return condition ? conditionFailed(read.detail) : adapterFailed(read.detail);
      const source = read?.value;
      if (condition && source) {
        const holds = withinBudget(() => condition.holds({ root: source }, meter), unplaced);
        if (!holds.ok) return conditionFailed(holds.detail);
        if (!holds.value) return { pass: false, adapterApplied: false };
      }
      if (ends.composed) return { pass: true, adapterApplied: false };
      if (!mapping || !source) return { pass: true, input: bytes, adapterApplied: false };
      const mapped = mapping.run({ sources: new Map([[edge.id, source]]), meter });
      if (!mapped.ok) return adapterFailed(mapped.detail);
      return { pass: true, input: mapped.value, adapterApplied: true };
    },
  };
}

const unplaced = (detail: string): string => detail;

function linkCondition(
  cel: CelCompiler,
  edge: CompiledEdge,
  { source }: EdgeEndTypes,
  problems: Diagnostic[],
) {
  if (edge.condition === undefined) return undefined;
  const compiled = cel.compileCondition(edge.condition, { registry: source.registry, root: source.output });
  if (compiled.ok) return compiled.value;
  const message = edgeConditionFailure(edge, compiled.detail);
  problems.push({ code: 'invalid_condition', edge: edge.id, message });
  return undefined;
}

function* linkMapping(
  cel: CelCompiler,
  edge: CompiledEdge,
  { source, target, composed }: EdgeEndTypes,
  problems: Diagnostic[],
): Generator<undefined, FieldMapping | undefined> {
  if (composed) {
    if (edge.adapter === undefined) return undefined;
    const message = `edge "${edge.from}" → "${edge.to}": the compose plan of "${edge.to}" builds its input: remove the adapter of the edge`;
    problems.push({ code: 'adapter_beside_compose', edge: edge.id, message });
    return undefined;
  }
  if (edge.adapter === undefined) {
    if (source.output.typeName === target.input.typeName) return undefined;
    const detail = `"${edge.from}" outputs ${source.output.typeName}, but "${edge.to}" takes ${target.input.typeName}: add an adapter`;
    problems.push({ code: 'adapter_missing', edge: edge.id, message: edgeAdapterFailure(edge, detail) });
    return undefined;
  }
  const compiled = yield* compileSteps(bindingsOf(edge.adapter), mappingTypes(edge, source, target), cel);
  if (compiled.ok) return compiled.mapping;
  for (const { field, detail } of compiled.problems) {
    const message = edgeAdapterFailure(edge, detail);
    problems.push({ code: 'invalid_adapter', edge: edge.id, field, message });
  }
  return undefined;
}

function mappingTypes(edge: CompiledEdge, source: NodeTypes, target: NodeTypes): MappingTypes {
  const read = { type: source.output, registry: source.registry };
  return {
    sources: new Map([[edge.id, read]]),
    target: { type: target.input, registry: target.registry },
  };
}

/**
 * Warns about a message that passes unmapped between two versions of its type: it keeps only the fields that both
 * declare.
 */
function warningsOf(edge: CompiledEdge, { source, target, composed }: EdgeEndTypes): Diagnostic[] {
  if (composed || edge.adapter !== undefined || source.registry.key === target.registry.key) return [];
  return [
    {
      code: 'other_version',
      edge: edge.id,
      message: `edge "${edge.from}" → "${edge.to}": ${source.output.typeName} passes from ${source.origin} to ${target.origin}: fields that only one of the two versions declares are lost`,
    },
  ];
}
