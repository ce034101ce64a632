import ts from 'typescript';

import type { Rule, SourceFile } from '../source-tree.ts';

/** Exported functions, classes, interfaces and type aliases say what they promise. */
export const docstrings: Rule = (tree) =>
  [...tree.values()]
    .filter((file) => /^(?:specs|generator|service)\//.test(file.path) && !file.path.endsWith('.test.ts'))
    .flatMap((file) => undocumented(file).map((name) => `${file.path}: ${name} has no docstring`));

function undocumented(file: SourceFile): string[] {
  return file.syntax.statements
    .filter(isFunctionOrType)
    .filter((each) => isExported(each) && ts.getJSDocCommentsAndTags(each).length === 0)
    .map((each) => each.name?.text ?? 'an export');
}

type FunctionOrType =
  ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

function isFunctionOrType(node: ts.Statement): node is FunctionOrType {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isExported(node: FunctionOrType): boolean {
  return ts.getModifiers(node)?.some((each) => each.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
