import assert from 'node:assert/strict';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FuzzedArchive } from '../fuzz/names-check.ts';
import { CARGO_TIMEOUT_MS, cargoEnv, cargoFolder, runCargo, writeFiles } from '../support/cargo.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Finding, judgePairs, pairArchives } from './judged-pairs.ts';
import { crateOfArchives } from './rust-crate.ts';
import type { VersionPair } from './version-pairs.ts';

const judge = path.join(import.meta.dirname, 'rust-judge');

suiteNeeds('rust', 'semantic versions in Rust, checked with public-api', function () {
  this.timeout(CARGO_TIMEOUT_MS);

  let judgment: Awaited<ReturnType<typeof judgePairs>>;
  before(async () => {
    judgment = await judgePairs(judged);
  });

  it('match the changes between random pairs of client versions', () => {
    assert.deepEqual(judgment.findings, []);
  });

  it('are checked by a tool that detects breaking changes', () => {
    const text = judgment.ofBroken.join('\n');
    assert.match(text, /^removed: pub fn pairs::pair_999::Client::goes\(/m);
    assert.match(text, /^removed: pub pairs::pair_999::messages::Item::gone: /m);
  });
});

async function judged(pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { before, after } = await pairArchives('rust', pairs);
  const root = await cargoFolder('semver');
  // Without this variable, only nightly toolchains print rustdoc's JSON. If it were set for all of cargo, dependencies would be built again.
  await writeFiles(root, [
    { path: 'rustdoc.sh', content: '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' },
  ]);
  await chmod(path.join(root, 'rustdoc.sh'), 0o755);
  const documents = [await documentOf(before, root, 'before'), await documentOf(after, root, 'after')];
  const { code, output } = await runCargo(['run', '--quiet', '--locked', '--', ...documents], { cwd: judge });
  assert.equal(code, 0, output);
  return [...output.matchAll(/^(?:removed|changed|exhaustive): .*?\bpairs::(pair_\d+)::.*$/gm)].map(
    ([text, pair = '']) => ({
      pair: pair.replace('_', '-'),
      text,
    }),
  );
}

/** Runs rustdoc for a crate of archives. Returns the path of its JSON. */
async function documentOf(archives: readonly FuzzedArchive[], root: string, name: string): Promise<string> {
  const cwd = path.join(root, name);
  await writeFiles(cwd, crateOfArchives(archives));
  await copyFile(path.join(root, 'Cargo.lock'), path.join(cwd, 'Cargo.lock'));
  const args = ['rustdoc', '--quiet', '--lib', '--no-default-features', '--', '-Zunstable-options'];
  const env = { RUSTDOC: path.join(root, 'rustdoc.sh') };
  const { code, output } = await runCargo([...args, '--output-format=json', '--cap-lints=allow'], {
    cwd,
    env,
  });
  assert.equal(code, 0, output);
  const document = path.join(cwd, 'pairs.json');
  await copyFile(path.join(cargoEnv().CARGO_TARGET_DIR ?? '', 'doc', 'pairs.json'), document);
  const format = /"format_version":(\d+)/.exec(await readFile(document, 'utf8'))?.[1];
  assert.equal(format, '57', 'public-api in test/semver/rust-judge reads another format of rustdoc');
  return document;
}
