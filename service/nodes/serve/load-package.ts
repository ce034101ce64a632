import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isGeneratorFunction } from 'node:util/types';
import type { NodeDeclaration } from '../../../specs/operations/package-shapes.ts';
import type { MessageRegistry } from '../../messages/registry.ts';
import { compilePackage, UnservablePackageError } from './compile-package.ts';
import type { NodeHandler } from './node-handlers.ts';

/** A node with its handler. */
export interface HostedNode {
  declaration: NodeDeclaration;
  handler: NodeHandler;
}

/** A loaded package version. */
export interface HostedPackage {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  registry: MessageRegistry;
  nodes: ReadonlyMap<string, HostedNode>;
}

/** Imports a module by its URL. */
type ImportModule = (url: string) => Promise<unknown>;

/**
 * Loads a module of handlers, and the package of its folder.
 *
 * @param path the module, or a folder that contains handlers.ts, handlers.js or handlers.mjs
 * @param importModule by default the import of this process, which reads each module once
 * @throws UnservablePackageError
 */
export async function loadPackage(
  path: string,
  importModule: ImportModule = (url) => import(url),
): Promise<HostedPackage> {
  const module = await findModule(path);
  const folder = dirname(module);
  const { body, registry } = await compilePackage(folder);
  const handlers = await importHandlers(module, importModule);
  refuse([...unmatched(body.nodes, handlers, module), ...unaryGenerators(body.nodes, handlers, module)]);
  const nodes = body.nodes.map((declaration): [string, HostedNode] => [
    declaration.name,
    { declaration, handler: handlers[declaration.name] as NodeHandler },
  ]);
  return { name: body.name, version: body.version, registry, nodes: new Map(nodes) };
}

const moduleForm = /\.[cm]?[jt]s$/;
const otherLanguages = 'a package in Python or Go has a container of its own, which its README.md starts';

/**
 * Returns the absolute path of a module of handlers.
 *
 * @throws UnservablePackageError if there is none
 */
export async function findModule(given: string): Promise<string> {
  const path = resolve(given);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) {
    if (moduleForm.test(path)) return path;
    throw new UnservablePackageError(
      `${path} is not a module of TypeScript or JavaScript: ${otherLanguages}`,
    );
  }
  if (!found)
    throw new UnservablePackageError(`${path} does not exist: give the module that exports the handlers`);
  for (const name of ['handlers.ts', 'handlers.js', 'handlers.mjs']) {
    const module = join(path, name);
    if (await stat(module).catch(() => undefined)) return module;
  }
  throw new UnservablePackageError(
    `${path} has no handlers.ts, handlers.js or handlers.mjs: give the module that exports the handlers; ${otherLanguages}`,
  );
}

async function importHandlers(module: string, importModule: ImportModule): Promise<Record<string, unknown>> {
  let loaded: { default?: unknown };
  try {
    loaded = (await importModule(pathToFileURL(module).href)) as { default?: unknown };
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new UnservablePackageError(`${module} cannot be loaded: ${detail}`, { cause: error });
  }
  const handlers = loaded.default;
  if (typeof handlers === 'object' && handlers !== null) return handlers as Record<string, unknown>;
  throw new UnservablePackageError(
    `${module} has no default export of handlers: write \`export default { <Node>: async (input, context) => output }\``,
  );
}

/**
 * Lists both the nodes without a handler and the handlers without a node, so that the author sees all of them
 * before the first call.
 */
function unmatched(
  nodes: readonly NodeDeclaration[],
  handlers: Readonly<Record<string, unknown>>,
  module: string,
): string[] {
  const declared = new Set(nodes.map((node) => node.name));
  const missing = nodes.filter(({ name }) => typeof handlers[name] !== 'function');
  const extra = Object.keys(handlers).filter((name) => !declared.has(name));
  return [
    ...missing.map(
      ({ name, mode }) =>
        `${module} has no handler for the node ${name}: add \`${
          mode === 'pipeline'
            ? `async *${name}(frames, context) { yield output }`
            : `${name}: async (input, context) => output`
        }\``,
    ),
    ...extra.map(
      (name) =>
        `${module} has a handler ${name}, but package.yaml declares no such node: declare it or remove it`,
    ),
  ];
}

/**
 * Returns the unary nodes whose handlers are generators: calling one returns an iterator, which is not an
 * output.
 */
function unaryGenerators(
  nodes: readonly NodeDeclaration[],
  handlers: Readonly<Record<string, unknown>>,
  module: string,
): string[] {
  return nodes
    .filter(({ name, mode }) => mode === 'unary' && isGeneratorFunction(handlers[name]))
    .map(
      ({ name }) =>
        `${module} has a generator as the handler of ${name}, which is a unary node: return one output, or write \`mode: pipeline\` in package.yaml`,
    );
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new UnservablePackageError(problems.join('\n'));
}
