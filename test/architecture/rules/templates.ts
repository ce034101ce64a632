import Handlebars from 'handlebars';

const blocks = ['each', 'if', 'unless'];

/**
 * Templates print, they do not decide: a Handlebars template holds names of finished values, `each`, `if`, `unless` over one
 * name, and partials by name. No helper, no argument, no literal, no expression. Gives one line for each place that breaks it.
 */
export function templateExpressions(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (program: hbs.AST.Program | undefined): void => {
    for (const statement of program?.body ?? []) {
      const why = whyNot(statement);
      if (why !== undefined) found.push(`${file}:${statement.loc.start.line}: ${why}`);
      if (isBlock(statement)) {
        visit(statement.program);
        visit(statement.inverse);
      }
    }
  };
  visit(Handlebars.parse(source));
  return found;
}

function whyNot(statement: hbs.AST.Statement): string | undefined {
  if (statement.type === 'ContentStatement' || statement.type === 'CommentStatement') return undefined;
  if (statement.type === 'MustacheStatement') {
    const { path, params, hash } = statement as hbs.AST.MustacheStatement;
    return isName(path) && params.length === 0 && !hasPairs(hash) ? undefined : 'a value is more than a name';
  }
  if (isBlock(statement)) {
    const { path, params, hash } = statement;
    if (!blocks.includes(path.original)) return `the block ${path.original} is none of ${blocks.join(', ')}`;
    return params.length === 1 && params.every(isName) && !hasPairs(hash)
      ? undefined
      : `the condition of ${path.original} is more than a name`;
  }
  if (statement.type === 'PartialStatement') {
    const { name, params, hash } = statement as hbs.AST.PartialStatement;
    return isName(name) && params.every(isName) && !hasPairs(hash)
      ? undefined
      : 'a partial is chosen or fed by an expression';
  }
  return `${statement.type} is not for templates`;
}

function isBlock(statement: hbs.AST.Statement): statement is hbs.AST.BlockStatement {
  return statement.type === 'BlockStatement';
}

function isName(expression: hbs.AST.Expression): expression is hbs.AST.PathExpression {
  return expression.type === 'PathExpression';
}

function hasPairs(hash: hbs.AST.Hash | undefined): boolean {
  return (hash?.pairs.length ?? 0) > 0;
}
