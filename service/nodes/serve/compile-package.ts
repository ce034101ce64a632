import { join } from 'node:path';
import type { PublishBody } from '../../../specs/operations/package-shapes.ts';
import { formatDiagnostic, ProtoCompileError } from '../../errors/proto-compile-error.ts';
import { compileProtos } from '../../messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../messages/registry.ts';
import { checkNodes } from '../check-nodes.ts';
import { PackageFolderError, protoRoot, readPackageFolder } from '../package-folder.ts';

/** A module or package cannot be served. The message has one line per problem and says what to do. */
export class UnservablePackageError extends Error {
  override readonly name = 'UnservablePackageError';
}

/** The declaration of a package with its compiled messages. */
export interface CompiledPackage {
  body: PublishBody;
  registry: MessageRegistry;
}

/**
 * Reads the package of a folder and compiles its sources.
 *
 * @throws UnservablePackageError
 */
export async function compilePackage(folder: string): Promise<CompiledPackage> {
  const body = await readPackageFolder(folder).catch((error: unknown) => {
    throw error instanceof PackageFolderError ? new UnservablePackageError(error.message) : error;
  });
  const registry = await compile(body.protos, folder);
  const messages = new Set<string>();
  for (const type of registry) if (type.kind === 'message') messages.add(type.typeName);
  const problems = checkNodes(body.nodes, messages);
  if (problems.length === 0) return { body, registry };
  const file = join(folder, 'package.yaml');
  throw new UnservablePackageError(problems.map((problem) => `${file}: ${problem}`).join('\n'));
}

async function compile(protos: Record<string, string>, folder: string): Promise<MessageRegistry> {
  try {
    return createRegistry(await compileProtos(protos));
  } catch (error) {
    if (!(error instanceof ProtoCompileError)) throw error;
    const root = await protoRoot(folder);
    const problems = error.diagnostics.map((problem) =>
      formatDiagnostic({
        ...problem,
        file: Object.hasOwn(protos, problem.file) ? join(root, problem.file) : problem.file,
      }),
    );
    throw new UnservablePackageError([`the protos of ${folder} do not compile:`, ...problems].join('\n  '));
  }
}
