import assert from 'node:assert/strict';
import { CARGO_TIMEOUT_MS, runCargo } from '../../../support/cargo.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { RustWorkspace } from './rust-workspace.ts';
import { writeRustWorkspace } from './rust-workspace.ts';
import { codeOf } from './rust-code.ts';

/** No test needs the TLS feature, which takes longer to build than everything else. */
const withoutTls = '--no-default-features';

suiteNeeds('rust', 'the Rust archives of all fixtures', function () {
  this.timeout(CARGO_TIMEOUT_MS);
  let workspace: RustWorkspace;

  before(async () => {
    workspace = await writeRustWorkspace('archives');
  });

  async function passes(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await runCargo(args, { cwd: workspace.root, env });
    assert.equal(code, 0, output.slice(-6_000));
    return output;
  }

  it('are formatted by rustfmt', async () => {
    await passes(['fmt', '--all', '--check']);
  });

  it('pass clippy and their own lints, including tests and examples', async () => {
    await passes(['clippy', '--workspace', '--all-targets', withoutTls, '--', '-D', 'warnings']);
  });

  it('pass rustdoc, even with hostile comments', async () => {
    const checked = ['acme-acme-letters', 'acme-grosse-ubersicht', 'acme-hostile-text', 'default-class'];
    await passes(['doc', '--no-deps', withoutTls, ...packages(checked)], { RUSTDOCFLAGS: '-D warnings' });
  });

  it('contain nothing that suppresses a check', () => {
    for (const [file, text] of workspace.files) {
      assert.doesNotMatch(file, /(clippy|rustfmt)\.toml$/);
      if (file.endsWith('.rs'))
        assert.doesNotMatch(codeOf(text), /#!?\[\s*(allow|expect|rustfmt|warn\(clippy)/, file);
    }
  });

  it('pass their own tests', async () => {
    const checked = ['acme-acme-letters', 'acme-well-known', 'acme-presence', 'default-class'];
    const output = await passes(['test', '--lib', withoutTls, ...packages(checked)]);
    assert.equal(output.match(/test result: ok\. \d+ passed/g)?.length, checked.length);
  });

  it('compile the programs of their READMEs', async () => {
    const checked = ['acme-acme-text', 'acme-acme-letters', 'acme-well-known', 'default-class'];
    const output = await passes(['test', '--doc', withoutTls, ...packages(checked)]);
    const programs = [...output.matchAll(/test result: ok\. (\d+) passed/g)].map(([, count]) =>
      Number(count),
    );
    assert.equal(programs.length, checked.length);
    assert.ok(Math.min(...programs) >= 3, programs.join(' '));
  });
});

function packages(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--package', name]);
}
