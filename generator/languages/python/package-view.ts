import { docstring } from './docstrings.ts';
import { stringLiteral } from './literals.ts';
import type { PythonSdk } from './python-sdk.ts';

/** `__init__.py`: what a program imports. */
export function packageView({ model }: PythonSdk): object {
  const { name, description } = model.client;
  return {
    docstring: docstring([`Python SDK of ${name.trim() || 'svc'}.`, description], 0),
    version: stringLiteral(model.semver),
  };
}
