import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import type { PythonSdk } from './python-sdk.ts';

/** `pyproject.toml`; strings are finished TOML. */
export function projectView({ model, names }: PythonSdk): object {
  const { name, description } = model.client;
  const summary = foldLines(description) || `Python SDK of ${foldLines(name)}`;
  return {
    distribution: names.distribution,
    module: names.module,
    semver: model.semver,
    summary: tomlString(Array.from(showInvisible(summary)).slice(0, 500).join('')),
  };
}

/** A TOML string; JSON's escapes are among TOML's. */
function tomlString(text: string): string {
  return JSON.stringify(text);
}
