import assert from 'node:assert/strict';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import type { SdkFile } from '../../../../generator/language.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { codeOf } from './rust-code.ts';

/** The block that the generator writes. Its lines are a program. */
const firstCall = /(?<=^\/\/! # First call\n\/\/!\n)\/\/! ```rust,no_run\n(\/\/!.*\n)*?\/\/! ```\n/m;

describe('hostile text in a Rust archive', () => {
  const files = new Map<string, string>();

  before(async () => {
    const { language, templates } = await loadLanguage('rust');
    for (const name of listSdkFixtures()) {
      const printed = await sdkFiles(await loadSdkFixture(name), language, templates);
      for (const file of printed) files.set(`${name}/${file.path}`, textOf(file));
    }
  });

  it('never becomes code', () => {
    for (const [file, text] of files) {
      if (!file.endsWith('.rs')) continue;
      const code = codeOf(text);
      assert.match(code, /^[\n\x20-\x7e]*$/, file);
      assert.doesNotMatch(code, /process\.exit|process::exit|javascript:|\benv!|include!/, file);
    }
  });

  it('adds no invisible characters', () => {
    const invisible = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
    for (const [file, text] of files) {
      if (!/\.(rs|toml|md)$/.test(file)) continue;
      assert.doesNotMatch(text.replaceAll('\n', ''), invisible, file);
    }
  });

  it('starts no code block in the documentation, where it would be compiled', () => {
    for (const [file, text] of files) {
      if (!/\/src\/(calls|messages|members|lib)\.rs$/.test(file)) continue;
      for (const line of text.replace(firstCall, '').split('\n'))
        assert.doesNotMatch(line, /^\s*\/\/[/!] *(```|~~~| {4,}\S)/, file);
    }
  });

  it('leaves manifests valid', () => {
    for (const [file, text] of files) {
      if (!file.endsWith('/Cargo.toml')) continue;
      const [head = ''] = text.split('\n\n');
      const keys = head.split('\n').map((line) => line.split(' = ')[0] ?? '');
      const required = ['[package]', 'name', 'version', 'edition', 'rust-version', 'description', 'readme'];
      const optional = ['authors', 'license', 'license-file', 'homepage', 'repository', 'publish'];
      assert.deepEqual(
        keys.filter((key) => !optional.includes(key)),
        required,
        file,
      );
      assert.equal(new Set(keys).size, keys.length, file);
      assert.match(head, /^name = "[a-z][a-z0-9-]*"$/m);
    }
  });
});

function textOf({ content }: SdkFile): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
