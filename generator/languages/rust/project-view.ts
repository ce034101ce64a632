import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import type { RustSdk } from './rust-sdk.ts';

/** `Cargo.toml`; strings are finished TOML. */
export function projectView({ model, names }: RustSdk): object {
  const { name, description } = model.client;
  const summary = foldLines(description) || `Rust SDK of ${foldLines(name)}`;
  return {
    package: names.package,
    semver: model.semver,
    summary: tomlString(Array.from(showInvisible(summary)).slice(0, 500).join('')),
  };
}

/** A TOML string; JSON's escapes are among TOML's. */
function tomlString(text: string): string {
  return JSON.stringify(text);
}
