import ts from 'typescript';

import type { Rule, SourceFile } from '../source-tree.ts';

/** Handlers of a node package are a default export: the form that `svc node serve` documents. */
const mayExportDefault = 'fixtures/packages/';

/** A thing is exported by one file and imported from there: no barrels, no `export *`, no default exports. */
export const moduleForm: Rule = (tree) =>
  [...tree.values()].flatMap((file) => problems(file).map((problem) => `${file.path}: ${problem}`));

function problems(file: SourceFile): string[] {
  const { statements } = file.syntax;
  const found: string[] = [];
  if (statements.some((each) => ts.isExportDeclaration(each) && !isNamed(each))) found.push('export *');
  if (!file.path.startsWith(mayExportDefault) && statements.some(isDefaultExport))
    found.push('default export');
  if (/(^|\/)index\.[a-z]+$/.test(file.path) || isBarrel(statements)) {
    found.push('a barrel: import things from where they stand');
  }
  return found;
}

function isNamed(node: ts.ExportDeclaration): boolean {
  return node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
}

function isDefaultExport(node: ts.Statement): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
    return node.exportClause.elements.some((each) => each.name.text === 'default');
  }
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword);
}

/** Reports whether the file only re-exports. */
function isBarrel(statements: readonly ts.Statement[]): boolean {
  const handsOn = statements.filter(
    (each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined,
  );
  const rest = statements.filter((each) => !ts.isExportDeclaration(each) && !ts.isImportDeclaration(each));
  return handsOn.length > 0 && rest.length === 0;
}
