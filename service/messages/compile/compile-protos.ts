import { limits } from '../../../specs/limits.ts';
import { ProtoCompileError, type ProtoDiagnostic } from '../../errors/proto-compile-error.ts';
import { type CheckedDescriptors, checkDescriptors } from './check-descriptors.ts';
import { checkSourcePaths } from './check-source-paths.ts';
import { type CompileBounds, runBuf } from './run-buf.ts';
import { scanSources } from './scan-sources.ts';

/** Proto sources by import path: `{'acme/text/v1/text.proto': 'syntax = "proto3"; ...'}` */
export type ProtoSources = Readonly<Record<string, string>>;

/** Proto sources that compile and that the service supports. */
export interface CompiledProtos {
  /** A binary `google.protobuf.FileDescriptorSet` in topological order, including imports and comments. */
  descriptorSet: Uint8Array<ArrayBuffer>;
  /** Full names of all messages, imported ones included. */
  messages: string[];
}

/** The checks before and after the compiler. For large sources they take seconds, so the service runs them on a thread. */
interface ProtoChecks {
  scan: (sources: ProtoSources) => ProtoDiagnostic[] | Promise<ProtoDiagnostic[]>;
  check: (descriptorSet: Uint8Array) => CheckedDescriptors | Promise<CheckedDescriptors>;
}

const defaultBounds: CompileBounds = {
  timeoutMs: 20_000,
  cpuSeconds: limits.compilerSeconds,
  megabytes: limits.compilerMegabytes,
};

/**
 * Compiles the proto sources of a package version with buf, and rejects unsupported proto (see `checkDescriptors`). Sources may import
 * `google/protobuf/*` and each other.
 *
 * @throws ProtoCompileError with every diagnostic and its position
 */
export async function compileWith(
  { scan, check }: ProtoChecks,
  sources: ProtoSources,
  bounds: Partial<CompileBounds> = {},
): Promise<CompiledProtos> {
  throwIfAny(checkSourcePaths(Object.keys(sources)));
  throwIfAny(await scan(sources));
  const descriptorSet = await runBuf(sources, { ...defaultBounds, ...bounds });
  const { diagnostics, messages } = await check(descriptorSet);
  throwIfAny(diagnostics);
  return { descriptorSet, messages };
}

/** Compiles on the current thread. For programs that serve no other requests meanwhile. */
export async function compileProtos(
  sources: ProtoSources,
  bounds: Partial<CompileBounds> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const checks = { scan: scanSources, check: checkDescriptors };
  const { descriptorSet } = await compileWith(checks, sources, bounds);
  return descriptorSet;
}

function throwIfAny(diagnostics: readonly ProtoDiagnostic[]): void {
  if (diagnostics.length > 0) throw new ProtoCompileError(diagnostics);
}
