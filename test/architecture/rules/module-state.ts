import ts from 'typescript';

import type { Rule, SourceFile } from '../source-tree.ts';

const pureFolders = /^(specs|generator)\//;

/** An empty collection is meant to be filled. */
const collections: ReadonlySet<string> = new Set(['Map', 'Set']);
const weakCollections: ReadonlySet<string> = new Set(['WeakMap', 'WeakRef', 'WeakSet']);

/** Modules of `specs` and `generator` keep no state between calls: no variables, no collections to fill, no weak collections. */
export const moduleState: Rule = (tree) =>
  [...tree.values()]
    .filter(({ path }) => pureFolders.test(path))
    .flatMap((file) => [...variables(file), ...weak(file)].map((what) => `${file.path}: ${what}`));

function variables({ syntax }: SourceFile): string[] {
  return syntax.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isConst = (declarationList.flags & ts.NodeFlags.Const) !== 0;
    return declarationList.declarations
      .filter(({ initializer }) => !isConst || isEmptyCollection(initializer))
      .map(({ name }) => `${name.getText(syntax)} is state of the module`);
  });
}

function isEmptyCollection(node: ts.Expression | undefined): boolean {
  return (
    node !== undefined &&
    ts.isNewExpression(node) &&
    ts.isIdentifier(node.expression) &&
    collections.has(node.expression.text) &&
    (node.arguments?.length ?? 0) === 0
  );
}

function weak({ syntax }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      weakCollections.has(node.expression.text)
    )
      found.push(`makes a ${node.expression.text}`);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}
