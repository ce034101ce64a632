import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

/** A module of the project as the rules look at it. */
export interface SourceFile {
  /** From the project's root, `/` separated. */
  path: string;
  text: string;
  syntax: ts.SourceFile;
  imports: readonly Import[];
}

/** One import, re-export or `import()` of a literal path, including imports of types. */
interface Import {
  /** As written. */
  from: string;
  /** The project's file that a relative import names; undefined for a package or a module of Node. */
  target: string | undefined;
  /** Named bindings; `*` for the whole module. */
  names: readonly string[];
}

/** Modules by path. */
export type SourceTree = ReadonlyMap<string, SourceFile>;

/** A rule: one line for each place that breaks it, beginning with the path. */
export type Rule = (tree: SourceTree) => string[];

const projectRoot = path.resolve(import.meta.dirname, '../..');
const sourceFolders = ['specs', 'generator', 'service', 'fixtures', 'test'];
/** The suites of each language check generated SDKs. */
const notOurs = ['fixtures/sdk'];

/** The project's own modules; templates are data of other languages. */
export function readProject(): SourceTree {
  const files = sourceFolders.flatMap((folder) => listFiles(folder));
  const modules = files.filter((file) => /\.(ts|js|mjs)$/.test(file));
  return parseTree(
    Object.fromEntries(modules.map((file) => [file, readFileSync(path.join(projectRoot, file), 'utf8')])),
  );
}

/** All files beneath a folder of the project, by path from its root, sorted; without names that begin with a dot. */
export function listFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      if (notOurs.includes(file)) return [];
      return entry.isDirectory() ? listFiles(file) : [file];
    })
    .sort();
}

/** Parses modules from texts; tests of a rule use it to make a bad tree. */
export function parseTree(files: Readonly<Record<string, string>>): SourceTree {
  return new Map(Object.entries(files).map(([file, text]) => [file, parseFile(file, text)]));
}

function parseFile(file: string, text: string): SourceFile {
  const syntax = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const add = (specifier: ts.Node, names: readonly string[]): void => {
    if (!ts.isStringLiteralLike(specifier)) return;
    const from = specifier.text;
    const target = from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : undefined;
    imports.push({ from, target, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node.importClause));
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, ['*']);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, ['*']);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      for (const argument of node.arguments.slice(0, 1)) add(argument, ['*']);
    }
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return { path: file, text, syntax, imports };
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return [];
  const bindings = clause.namedBindings;
  const named =
    bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : ['*'];
  return clause.name && !bindings ? ['*'] : named;
}
