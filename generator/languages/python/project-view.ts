import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { splitAuthor } from '../../text/split-author.ts';
import { tomlString } from '../../text/toml-string.ts';
import type { PythonSdk } from './python-sdk.ts';

/** Returns the view of `pyproject.toml`; strings are finished TOML. */
export function projectView({ model, names }: PythonSdk): object {
  const { name, description, metadata = {} } = model.client;
  const summary = foldLines(description) || `Python SDK of ${foldLines(name)}`;
  return {
    distribution: names.distribution,
    module: names.module,
    semver: model.semver,
    summary: tomlString(Array.from(showInvisible(summary)).slice(0, 500).join('')),
    license: metadata.license === undefined ? '' : tomlString(metadata.license),
    authors: (metadata.authors ?? []).map(authorTable),
    urls: [
      ['Homepage', metadata.homepage],
      ['Repository', metadata.repository],
    ].flatMap(([label = '', url]) => (url === undefined ? [] : [`${label} = ${tomlString(url)}`])),
    private: metadata.private ?? false,
  };
}

function authorTable(text: string): string {
  const { name, email } = splitAuthor(text);
  const address = email === '' ? '' : `, email = ${tomlString(email)}`;
  return `{ name = ${tomlString(name)}${address} }`;
}
