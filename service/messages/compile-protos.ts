import { checkDescriptors } from './check-descriptors.ts';
import { ProtoCompileError } from '../errors/proto-compile-error.ts';
import { runBuf } from './run-buf.ts';
import { checkSourcePaths } from './source-paths.ts';

/**
 * Compiles the proto sources of a package version with the real compiler, and refuses what the service could not serve
 * (`check-descriptors.ts`). `google/protobuf/*` may be imported; everything else must be among the sources.
 *
 * @param protos sources by import path: `{'acme/text/v1/text.proto': 'syntax = "proto3"; ...'}`
 * @returns a binary `google.protobuf.FileDescriptorSet`, imports and comments included, in topological order.
 * @throws ProtoCompileError with every complaint and its position.
 */
export async function compileProtos(
  protos: Readonly<Record<string, string>>,
  { timeoutMs = 20_000 }: { timeoutMs?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const sources = new Map(Object.entries(protos));
  refuse(checkSourcePaths([...sources.keys()]));
  const descriptorSet = await runBuf(sources, timeoutMs);
  refuse(checkDescriptors(descriptorSet));
  return descriptorSet;
}

function refuse(diagnostics: ConstructorParameters<typeof ProtoCompileError>[0]): void {
  if (diagnostics.length > 0) throw new ProtoCompileError(diagnostics);
}
