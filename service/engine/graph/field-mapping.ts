import type { DescMessage } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { MessageRegistry } from '../../messages/registry.ts';
import type { Outcome } from '../outcome.ts';

/** A message that expressions read. */
export interface MappingSource {
  type: DescMessage;
  registry: MessageRegistry;
}

export interface MappingTypes {
  /** By edge id; a single one needs no name in its expressions. */
  sources: ReadonlyMap<string, MappingSource>;
  target: MappingSource;
}

/** Expressions by field path, compiled. */
export interface FieldMapping {
  /** Serialized target, or the detail of what failed; sources that are left out leave the fields unset that read them. */
  run(sources: ReadonlyMap<string, ReflectMessage>): Outcome<Uint8Array>;
}

export type CompiledMapping =
  { ok: true; mapping: FieldMapping } | { ok: false; problems: { field: string; detail: string }[] };

export function compileMapping(
  expressions: Readonly<Record<string, string>>,
  types: MappingTypes,
): CompiledMapping {
  const problems = Object.keys(expressions).map((field) => ({
    field,
    detail: `adapters into ${types.target.type.typeName} are not available yet`,
  }));
  return { ok: false, problems };
}
