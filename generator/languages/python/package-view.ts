import { docstring } from './docstrings.ts';
import { stringLiteral } from './literals.ts';
import type { PythonSdk } from './python-sdk.ts';
import { lineWidth } from './line-width.ts';

/** `__version__ = "1.0.0"`, in parentheses if the line would be too long and the literal alone is not. */
function versionLine(semver: string): string {
  const literal = stringLiteral(semver);
  const flat = `__version__ = ${literal}`;
  return flat.length > lineWidth && 4 + literal.length <= lineWidth
    ? `__version__ = (\n    ${literal}\n)`
    : flat;
}

/** Returns the view of `__init__.py`: what a program imports. */
export function packageView({ model }: PythonSdk): object {
  const { name, description } = model.client;
  return {
    docstring: docstring([`Python SDK of ${name.trim() || 'svc'}.`, description], 0),
    version: versionLine(model.semver),
  };
}
