import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { composeFailure } from '../../../errors/graph-errors.ts';
import { bindingsOf, compileSteps } from '../../adapters/compile-mapping.ts';
import type { MappingTypes } from '../../adapters/mapping.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { CompiledEdge, ComposePlan } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { ComposeOutcome } from '../loaded-graph.ts';
import { NodeOutput } from '../node-output.ts';
import type { NodeTypes } from '../node-types.ts';
import type { WorkMeter } from '../../work/work-meter.ts';

interface ComposeEnds {
  target: NodeTypes;
  /** The incoming edges with the types of their source nodes. */
  sources: readonly { edge: CompiledEdge; types: NodeTypes }[];
}

/** A compose plan that compiles, or a diagnostic for each of its fields that does not. */
export type LinkedCompose =
  | { ok: true; compose: (outputs: ReadonlyMap<string, Uint8Array>, meter: WorkMeter) => ComposeOutcome }
  | { ok: false; problems: Diagnostic[] };

/**
 * Compiles the plan that builds a node's input from the outputs of its incoming edges. Yields before each field, so that callers can
 * interleave other work.
 */
export function* linkCompose(
  cel: CelCompiler,
  nodeId: string,
  plan: ComposePlan,
  { target, sources }: ComposeEnds,
): Generator<undefined, LinkedCompose> {
  const types: MappingTypes = {
    sources: new Map(
      sources.map(({ edge, types: { output, registry } }) => [edge.id, { type: output, registry }]),
    ),
    target: { type: target.input, registry: target.registry },
  };
  const compiled = yield* compileSteps(bindingsOf(plan), types, cel);
  if (!compiled.ok) {
    const problems = compiled.problems.map(({ field, detail }) => ({
      code: 'invalid_compose',
      node: nodeId,
      field,
      message: composeFailure(nodeId, detail),
    }));
    return { ok: false, problems };
  }
  return {
    ok: true,
    compose: (outputs, meter) => {
      const read = new Map<string, ReflectMessage>();
      for (const { edge, types } of sources) {
        const bytes = outputs.get(edge.id);
        if (!bytes) continue;
        const source = new NodeOutput(bytes, meter).decode(types.output);
        if (!source.ok) return { error: composeFailure(nodeId, source.detail) };
        read.set(edge.id, source.value);
      }
      const input = compiled.mapping.run({ sources: read, meter });
      return input.ok ? { input: input.value } : { error: composeFailure(nodeId, input.detail) };
    },
  };
}
