import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { CARGO_TIMEOUT_MS, cargoFolder, runCargo } from '../../support/cargo.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const templates = path.resolve(import.meta.dirname, '../../../templates/rust/runtime');

suiteNeeds('rust', 'the Rust runtime with handwritten messages', function () {
  this.timeout(CARGO_TIMEOUT_MS);
  let folder: string;

  before(async () => {
    folder = await cargoFolder('runtime');
    for (const part of [templates, import.meta.dirname]) await cp(part, folder, { recursive: true });
  });

  async function passes(args: string[]): Promise<string> {
    const { code, output } = await runCargo([...args], { cwd: folder });
    assert.equal(code, 0, output.slice(-6_000));
    return output;
  }

  it('is formatted by rustfmt', async () => {
    await passes(['fmt', '--check']);
  });

  it('passes clippy, including its tests', async () => {
    await passes(['clippy', '--all-targets', '--no-default-features', '--', '-D', 'warnings']);
  });

  it('passes its tests', async () => {
    const output = await passes(['test', '--lib', '--no-default-features']);
    assert.match(output, /test result: ok\. \d+ passed/);
  });
});
