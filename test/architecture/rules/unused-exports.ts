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

/** Every export is imported by another file. An export that is only used in its own file loses `export`; dead code goes. */
export const unusedExports: Rule = (tree) => {
  const imported = new Map<string, Set<string>>();
  for (const file of tree.values())
    for (const { target, names } of file.imports) {
      if (target === undefined || target === file.path) continue;
      const known = imported.get(target) ?? new Set();
      for (const name of names) known.add(name);
      imported.set(target, known);
    }
  return [...tree.values()].flatMap((file) => {
    const used = imported.get(file.path) ?? new Set();
    if (used.has('*')) return [];
    const loaded = LOADED.flatMap(([pattern, names]) => (pattern.test(file.path) ? names : []));
    if (loaded.includes('*')) return [];
    return exportedNames(file)
      .filter((name) => !used.has(name) && !loaded.includes(name))
      .map((name) => `${file.path} exports ${name}, which no other file imports`);
  });
};

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
