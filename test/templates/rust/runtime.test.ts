import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CARGO_TIMEOUT_MS, cargoFolder, runCargo } from '../../support/cargo.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const templates = path.resolve(import.meta.dirname, '../../../templates/rust/runtime');

/** All except those that choose a TLS library, since no test here uses TLS. Archives are checked without any. */
const optionalFeatures = ['--no-default-features', '--features', 'chrono,gzip,http2,jiff,tracing'];

/** Changes how every number reaches the decoder. */
const exactNumbers = ['--features', 'serde_json/arbitrary_precision'];

const withoutProvider = ['--no-default-features', '--features', 'rustls-no-provider'];

suiteNeeds('rust', 'the Rust runtime with handwritten messages', function () {
  this.timeout(CARGO_TIMEOUT_MS);
  let folder: string;

  before(async () => {
    folder = await cargoFolder('runtime');
    for (const part of [templates, import.meta.dirname]) await cp(part, folder, { recursive: true });
  });

  async function passes(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await runCargo(args, { cwd: folder, env });
    assert.equal(code, 0, output.slice(-6_000));
    return output;
  }

  it('is formatted by rustfmt', async () => {
    await passes(['fmt', '--check']);
  });

  it('passes clippy with its optional features, including its tests', async () => {
    await passes(['clippy', '--all-targets', ...optionalFeatures, '--', '-D', 'warnings']);
  });

  it('passes its tests with its optional features', async () => {
    const output = await passes(['test', '--lib', ...optionalFeatures]);
    assert.match(output, /test result: ok\. \d+ passed/);
    for (const test of ['responses_can_be_compressed', 'attempts_are_events', 'of_chrono', 'of_jiff'])
      assert.match(output, new RegExp(`${test} \\.\\.\\. ok`));
  });

  it('passes its tests when another crate enables arbitrary_precision of serde_json', async () => {
    const output = await passes(['test', '--lib', ...optionalFeatures, ...exactNumbers]);
    assert.match(output, /test result: ok\. \d+ passed/);
  });

  it('supports TLS without a C build, and reports a missing crypto provider', async () => {
    const built = await passes(['tree', '--edges', 'normal,build', '--prefix', 'none', ...withoutProvider]);
    assert.match(built, /^rustls v/m);
    assert.doesNotMatch(built, /^(aws-lc-sys|bindgen|cc|cmake|ring) v/m);
    const output = await passes(['test', '--lib', ...withoutProvider, 'tests::tls']);
    assert.match(output, /test result: ok\. 1 passed/);
  });

  it('needs no certificates for a URL without TLS', async () => {
    // cargo replaces paths that do not exist.
    const certificates = path.join(folder, 'no-certificates');
    await mkdir(certificates);
    // Without certificates, cargo cannot download missing crates.
    await passes(['fetch']);
    const output = await passes(
      ['test', '--lib', '--', '--exact', 'tests::settings::a_url_without_tls_needs_no_certificates'],
      { SSL_CERT_FILE: '/dev/null', SSL_CERT_DIR: certificates },
    );
    assert.match(output, /test result: ok\. 1 passed/);
  });
});
