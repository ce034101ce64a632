import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { tomlString } from '../../text/toml-string.ts';
import type { RustSdk } from './rust-sdk.ts';

/** Returns the view of `Cargo.toml`; strings are finished TOML. */
export function projectView({ model, names }: RustSdk): object {
  const { name, description, metadata = {} } = model.client;
  const { license, homepage, repository, authors = [] } = metadata;
  const summary = foldLines(description) || `Rust SDK of ${foldLines(name)}`;
  return {
    package: names.package,
    semver: model.semver,
    summary: tomlString(Array.from(showInvisible(summary)).slice(0, 500).join('')),
    authors: authors.map((author) => tomlString(showInvisible(author))).join(', '),
    license: license === undefined ? '' : tomlString(license),
    homepage: homepage === undefined ? '' : tomlString(homepage),
    repository: repository === undefined ? '' : tomlString(repository),
    private: metadata.private ?? false,
  };
}
