import ts from 'typescript';

import type { Rule, SourceFile } from '../source-tree.ts';

/**
 * Exports that no import names, because a program outside the tree or a path made at run time loads them. Files by pattern, with
 * the names that are loaded.
 */
const LOADED: readonly (readonly [RegExp, readonly string[]])[] = [
  // Made by protoc-gen-es, which exports everything.
  [/^service\/nodes\/container\/protocol\.ts$/, ['*']],
  // package.json
  [/^service\/nodes\/serve\/(node-handlers|handler-values)\.ts$/, ['*']],
  // service/languages/load-language.ts
  [/^generator\/languages\/[a-z-]+\/language\.ts$/, ['language']],
  // The CLI loads a module of handlers, and bundles of pages begin here.
  [/^fixtures\/packages\//, ['*']],
  [/^service\/pages\/assets\//, ['*']],
  // Suites find these by their file name.
  [/^test\/conformance\/languages\//, ['conformanceLanguage']],
  [/^test\/fuzz\/checks\//, ['check']],
  [/^test\/bench\/sdks\/[a-z-]+\/build\.ts$/, ['sdkBench']],
  // .mocharc.json
  [/^test\/support\//, ['mochaHooks', 'mochaGlobalTeardown', 'module.exports']],
];

/**
 * Every export is imported by another file. An export that is only used in its own file loses `export`; dead code goes, and so does
 * code of the product that only tests call.
 */
export const unusedExports: Rule = (tree) => {
  const imported = new Map<string, Uses>();
  for (const file of tree.values())
    for (const { target, names } of file.imports) {
      if (target === undefined || target === file.path) continue;
      const uses = imported.get(target) ?? { all: new Set(), product: new Set() };
      imported.set(target, uses);
      for (const name of names) {
        uses.all.add(name);
        if (!isTest(file)) uses.product.add(name);
      }
    }
  return [...tree.values()].flatMap((file) => {
    const { all, product } = imported.get(file.path) ?? { all: new Set(), product: new Set() };
    if ((isTest(file) ? all : product).has('*')) return [];
    const loaded = LOADED.flatMap(([pattern, names]) => (pattern.test(file.path) ? names : []));
    if (loaded.includes('*')) return [];
    return exportedNames(file)
      .filter((name) => !product.has(name) && !loaded.includes(name))
      .flatMap((name) => {
        if (!all.has(name) && !all.has('*'))
          return [`${file.path} exports ${name}, which no other file imports`];
        if (isTest(file) || occurrences(file, name) > 1) return [];
        return [`${file.path} exports ${name}, which only tests use`];
      });
  });
};

/** Names of a file that other files import. */
interface Uses {
  all: Set<string>;
  /** Without the imports of tests. */
  product: Set<string>;
}

function isTest({ path }: SourceFile): boolean {
  return path.startsWith('test/');
}

function occurrences({ syntax }: SourceFile, name: string): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) found += 1;
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}

function exportedNames({ syntax }: SourceFile): string[] {
  return syntax.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      return exportClause && ts.isNamedExports(exportClause)
        ? exportClause.elements.map(({ name }) => name.text)
        : [];
    }
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    const named = statement as ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration;
    return named.name ? [named.name.text] : [];
  });
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}
