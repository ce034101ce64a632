import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { everything } from '../api/downloaded-sdk.ts';
import { CARGO_TIMEOUT_MS, cargoEnv, lockFile } from '../support/cargo.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type ArchiveScene, startArchiveScene } from './support/archive-scene.ts';
import { startForwardProxy } from './support/forward-proxy.ts';

const name = 'acme-everything-in-rust';

/** A program of another project: a call, a run, and the errors of both. */
const program = `
use std::collections::{BTreeMap, HashMap};
use std::error::Error as StdError;
use std::time::Duration;

use acme_everything_in_rust::http::StatusCode;
use acme_everything_in_rust::{Client, ErrorKind, ExecutionStatus, json, messages, types};

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let client = Client::builder().retry_budget(5).build()?;
    let input: messages::Everything = json::from_str(&std::env::var("INPUT")?)?;
    let output = client.echo_twice(&input).attempt_timeout(Duration::from_secs(30)).await?;
    println!("{}", json::to_string(&output)?);

    let started = client.start_echo_twice(&input).response().await?;
    assert_eq!(started.status, StatusCode::ACCEPTED);
    let run = started.value;
    assert_eq!(started.execution_id.as_deref(), Some(run.id()));
    assert_eq!(run.wait().await?, input);
    let record = run.get().await?;
    assert_eq!(record.status, ExecutionStatus::Completed);
    assert!(record.completed_at.expect("it has ended") <= types::Timestamp::now());
    let ended = run.cancel().await.expect_err("the run has ended");
    assert_eq!((ended.kind(), ended.status()), (ErrorKind::Status, Some(StatusCode::CONFLICT)));
    assert_eq!((ended.execution_id(), ended.attempts()), (Some(run.id()), 1));
    assert!(ended.headers().is_some() && ended.idempotency_key().is_some());

    let took = messages::Everything::new().with_took(Duration::from_millis(1_500));
    assert_eq!(client.echo(&took).await?.took.map(|took| took.to_string()).as_deref(), Some("1.500s"));

    let totals = [("a".to_owned(), 1), ("b".to_owned(), 2)];
    let sorted = messages::Everything::new().with_totals(BTreeMap::from(totals.clone()));
    assert_eq!(messages::Everything::new().with_totals(HashMap::from(totals.clone())), sorted);
    assert_eq!(messages::Everything::new().with_totals(totals), sorted);
    Ok(())
}
`;

/** Makes sixty concurrent calls, each with its own client. */
const burst = `
use acme_everything_in_rust::{Client, messages};

#[tokio::main]
async fn main() {
    let calls: Vec<_> = (0..60)
        .map(|_| tokio::spawn(async { Client::new()?.echo(&messages::Everything::new()).await }))
        .collect();
    let mut answers = 0;
    for call in calls {
        call.await.expect("no task panics").expect("each call is answered");
        answers += 1;
    }
    println!("{answers} answers");
}
`;

/** Makes ten calls one after the other, each with its own client. */
const tenClients = `
use acme_everything_in_rust::{Client, Error, messages};

#[tokio::main]
async fn main() -> Result<(), Error> {
    for _ in 0..10 {
        Client::new()?.echo(&messages::Everything::new()).await?;
    }
    Ok(())
}
`;

const deadProxy = proxyEnv('http://127.0.0.1:9');

suiteNeeds('rust', 'the Rust archive, packaged and used by another project', function () {
  this.timeout(CARGO_TIMEOUT_MS);
  let scene: ArchiveScene;
  /** Names of the programs of the README. */
  const readmePrograms: string[] = [];

  before(async () => {
    scene = await startArchiveScene('rust');
    await passes(scene.project, 'cargo init --quiet --vcs none --name shop');
    for (const folder of [scene.project, scene.archive]) await lockVersions(folder);
  });
  after(() => scene.stop());

  /** Locks dependencies to the versions that the other suites have built. */
  async function lockVersions(folder: string): Promise<void> {
    await copyFile(lockFile, path.join(folder, 'Cargo.lock'));
  }

  async function passes(folder: string, command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await scene.run(folder, command, { ...cargoEnv(), ...env });
    assert.equal(code, 0, `${command}\n${output.slice(-6_000)}`);
    return output;
  }

  it('is added to a project by the commands of its README as printed', async () => {
    const [install = ''] = await scene.readmeBlocks('sh');
    await passes(scene.project, install);
    const programs = await scene.readmeBlocks('rust,no_run');
    for (const [index, text] of programs.entries()) {
      const isProgram = /^async fn main\(\)/m.test(text);
      if (isProgram) readmePrograms.push(`readme_${index}`);
      // Fragments for the reader's own tests are only compiled.
      await writeProgram(`readme_${index}`, isProgram ? text : `${text}\nfn main() {}\n`);
    }
    await writeProgram('program', program);
    await writeProgram('burst', burst);
    await writeProgram('ten_clients', tenClients);
    await passes(scene.project, 'cargo build --quiet --bins');
  });

  async function writeProgram(file: string, text: string): Promise<void> {
    const folder = path.join(scene.project, 'src/bin');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${file}.rs`), text);
  }

  it('calls the service from another project', async () => {
    const input = { INPUT: JSON.stringify(everything) };
    const output = await passes(scene.project, 'cargo run --quiet --bin program', input);
    assert.deepEqual(JSON.parse(output), everything);
  });

  it('runs the programs of its README as printed', async () => {
    assert.equal(readmePrograms.length, 8);
    for (const file of readmePrograms) await passes(scene.project, `cargo run --quiet --bin ${file}`);
  });

  it("completes a burst of 60 calls at the tenant's default rate", async () => {
    assert.equal(await passes(scene.project, 'cargo run --quiet --bin burst'), '60 answers\n');
  });

  it('calls through the proxy from the environment, sharing connections between clients', async () => {
    const proxy = await startForwardProxy();
    try {
      const run = 'cargo run --quiet --bin ten_clients';
      await passes(scene.project, run, proxyEnv(proxy.url));
      assert.ok(proxy.hosts.length >= 10);
      // A call may begin before the connection of the previous one is back in the pool.
      assert.ok(proxy.connections() <= 3, `ten clients opened ${proxy.connections()} connections`);
      const { code, output } = await scene.run(scene.project, run, { ...cargoEnv(), ...deadProxy });
      assert.equal(code, 1);
      assert.match(output, /ConnectionFailed/);
    } finally {
      proxy.stop();
    }
  });

  it('runs its examples without arguments, with the commands of its README', async () => {
    const [, ...commands] = await scene.readmeBlocks('sh');
    const examples = commands.filter((command) => command.includes('--example'));
    assert.equal(examples.length, scene.manifest.members.length);
    for (const command of examples) {
      const output = await passes(scene.archive, command);
      assert.equal(typeof JSON.parse(output), 'object', output);
    }
  });

  it('passes its own tests when the proxy from the environment is dead', async () => {
    const test = (await scene.readmeBlocks('sh')).at(-1) ?? '';
    assert.equal(test, 'cargo test --quiet --lib\n');
    assert.match(await passes(scene.archive, test, deadProxy), /test result: ok\. \d+ passed/);
  });

  it('builds a crate that another project uses', async () => {
    // The second project builds the crate, so cargo need not.
    const target = path.join(scene.project, 'packed');
    await passes(scene.archive, `cargo package --quiet --no-verify --target-dir "${target}"`);
    const crate = `${name}-1.0.0`;
    // Cargo gives all files of a crate the same old time, and would mistake an earlier build for a current one.
    await passes(scene.project, `tar -xzmf packed/package/${crate}.crate`);
    await passes(scene.project, `cargo remove --quiet ${name} && cargo add --quiet --path ${crate}`);
    await lockVersions(scene.project);
    const tree = await passes(scene.project, 'cargo tree --depth 1 --prefix none');
    assert.match(tree, new RegExp(`^${name} v1\\.0\\.0 \\(.*/${crate}\\)$`, 'm'));
    const input = { INPUT: JSON.stringify(everything) };
    const output = await passes(scene.project, 'cargo run --quiet --bin program', input);
    assert.deepEqual(JSON.parse(output), everything);
  });
});

function proxyEnv(url: string): NodeJS.ProcessEnv {
  return { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, http_proxy: url, NO_PROXY: '', no_proxy: '' };
}
