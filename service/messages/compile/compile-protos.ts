import { checkDescriptors } from './check-descriptors.ts';
import { ProtoCompileError } from '../../errors/proto-compile-error.ts';
import { runBuf } from './run-buf.ts';
import { checkSourcePaths } from './check-source-paths.ts';

/**
 * Compiles the proto sources of a package version with buf, and rejects unsupported proto (see `checkDescriptors`). Sources may import
 * `google/protobuf/*` and each other.
 *
 * @param protos sources by import path: `{'acme/text/v1/text.proto': 'syntax = "proto3"; ...'}`
 * @returns a binary `google.protobuf.FileDescriptorSet` in topological order, including imports and comments
 * @throws ProtoCompileError with every diagnostic and its position
 */
export async function compileProtos(
  protos: Readonly<Record<string, string>>,
  { timeoutMs = 20_000 }: { timeoutMs?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const sources = new Map(Object.entries(protos));
  throwIfAny(checkSourcePaths([...sources.keys()]));
  const descriptorSet = await runBuf(sources, timeoutMs);
  throwIfAny(checkDescriptors(descriptorSet));
  return descriptorSet;
}

function throwIfAny(diagnostics: ConstructorParameters<typeof ProtoCompileError>[0]): void {
  if (diagnostics.length > 0) throw new ProtoCompileError(diagnostics);
}
