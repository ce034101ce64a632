import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { everything } from '../api/downloaded-sdk.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type ArchiveScene, startArchiveScene } from './support/archive-scene.ts';
import { type NpmRegistry, publishArchive } from './support/npm-registry.ts';
import { typeCheckConsumers } from './support/typescript-consumers.ts';

const name = '@acme/everything-in-typescript';

/** A program in either module format that runs the flow and prints its output as ProtoJSON. */
const program = `
const client = new sdk.EverythingInTypescriptClient();
client.echoTwice(sdk.fromJson(sdk.everythingType, process.env.INPUT))
  .then((output) => console.log(sdk.toJson(sdk.everythingType, output)));
`;

/** A consumer's program: inputs of every kind, options, errors and runs. */
const consumer = `
import { AbortedError, connect, echoTwice, EverythingInTypescriptClient, isSvcError } from "${name}";
import type { Everything } from "${name}";
const client = new EverythingInTypescriptClient({ apiKey: "key", baseUrl: "https://svc.example.com", headers: new Headers() });
export async function main(color: "COLOR_RED" | "COLOR_NEGATIVE"): Promise<Everything | undefined> {
  try {
    const output = await client.echoTwice({ text: "a", large: 1, at: new Date(), color, choice: { case: "chosenNumber", value: 1n } });
    const again: Everything = await echoTwice(connect(), output, { attemptTimeoutMs: 5_000 });
    const run = await client.startEchoTwice({});
    for await (const { type } of run.events()) if (type === "FLOW_FAILED") await run.cancel();
    return again;
  } catch (error) {
    if (error instanceof AbortedError || !isSvcError(error)) throw error;
    const seen: [string, string | undefined, number | undefined] = [error.code, error.executionId, error.attempts];
    console.log(seen);
    return undefined;
  }
}
`;

suiteNeeds('npm', 'the packaged TypeScript SDK', function () {
  this.timeout(600_000);
  let scene: ArchiveScene;
  let registry: NpmRegistry;
  before(async () => {
    scene = await startArchiveScene('typescript');
    registry = await publishArchive(scene);
  });
  after(async () => {
    await registry.stop();
    await scene.stop();
  });

  it('is installed by the commands of its README as printed, from its folder and from a registry', async () => {
    const blocks = await scene.readmeBlocks('sh');
    assert.deepEqual(blocks, ['npm install path/to/the/unpacked/archive\n', `npm install ${name}\n`]);
    for (const env of [{}, { NODE_ENV: 'production' }])
      for (const command of blocks) {
        const installed = await scene.run(scene.project, `npm uninstall ${name}\n${command}`, env);
        assert.equal(installed.code, 0, `${command}${installed.output}`);
        assert.deepEqual(await callBoth(env), [everything, everything]);
      }
  });

  it('has types for consumers from TypeScript 4.9 to the newest, as ES module and CommonJS', async () => {
    assert.deepEqual(await typeCheckConsumers(scene, consumer, 'esm and cjs'), []);
  });

  it('recognizes its errors across both formats', async () => {
    const file = path.join(scene.project, 'both.mjs');
    const text = `
import { createRequire } from "node:module";
import { isSvcError, ValueError } from "${name}";
const other = createRequire(import.meta.url)("${name}");
console.log(new ValueError("") instanceof other.ValueError, other.isSvcError(new ValueError("")), isSvcError(new other.ValueError("")));
`;
    await writeFile(file, text);
    const { output } = await scene.run(scene.project, 'node both.mjs');
    assert.equal(output, 'false true true\n');
  });

  it("completes a burst of 60 calls at the tenant's default rate", async () => {
    const text = `
import { EverythingInTypescriptClient } from "${name}";
const client = new EverythingInTypescriptClient();
const calls = Array.from({ length: 60 }, (_, index) => client.echo({ text: String(index) }));
const answers = await Promise.allSettled(calls);
console.log(answers.filter(({ value }, index) => value?.text === String(index)).length);
`;
    await writeFile(path.join(scene.project, 'burst.mjs'), text);
    const { output } = await scene.run(scene.project, 'node burst.mjs');
    assert.equal(output, '60\n');
  });

  it('runs the programs of its README', async () => {
    const blocks = await scene.readmeBlocks('ts');
    const programs = blocks.filter((text) => text.startsWith('import') && text.includes('new Everything'));
    assert.ok(programs.length >= 2);
    for (const text of programs) {
      await writeFile(path.join(scene.project, 'readme.mjs'), text);
      const { code, output } = await scene.run(scene.project, 'node readme.mjs');
      assert.equal(code, 0, output);
    }
  });

  it('keeps its names as CommonJS, even when ES modules import them through another CommonJS module', async () => {
    await writeFile(path.join(scene.project, 'wrap.cjs'), `module.exports = require("${name}");`);
    await writeFile(
      path.join(scene.project, 'wrapped.mjs'),
      'import { Execution, ValueError } from "./wrap.cjs";\n' +
        'console.log(JSON.stringify([Execution.name, ValueError.name]));',
    );
    const { code, output } = await scene.run(scene.project, 'node wrapped.mjs');
    assert.equal(code, 0, output);
    assert.deepEqual(JSON.parse(output), ['Execution', 'ValueError']);
  });

  it('runs its examples without arguments or installed packages', async () => {
    for (const { alias, example } of scene.manifest.members) {
      const { code, output } = await scene.run(scene.archive, example ?? assert.fail(alias));
      assert.equal(code, 0, `${alias}: ${output}`);
      assert.doesNotThrow(() => JSON.parse(output) as unknown, output);
    }
  });

  it('passes its own checks, even behind a dead proxy', async () => {
    const proxy = 'http://127.0.0.1:9';
    const dead = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy };
    const { setup, test } = scene.manifest;
    for (const [command, env] of [
      [setup, {}],
      ['npm run check', {}],
      [test, dead],
    ] as const) {
      const { code, output } = await scene.run(scene.archive, command, env);
      assert.equal(code, 0, `${command}\n${output}`);
    }
  });

  /** Calls the flow from an ES module and from a CommonJS module of the second project. */
  async function callBoth(env: NodeJS.ProcessEnv): Promise<unknown[]> {
    const opening = {
      'call.mjs': `import * as sdk from "${name}";`,
      'call.cjs': `const sdk = require("${name}");`,
    };
    const outputs: unknown[] = [];
    for (const [file, line] of Object.entries(opening)) {
      await writeFile(path.join(scene.project, file), `${line}\n${program}`);
      const input = { ...env, INPUT: JSON.stringify(everything) };
      const { code, output } = await scene.run(scene.project, `node ${file}`, input);
      assert.equal(code, 0, output);
      outputs.push(JSON.parse(output));
    }
    return outputs;
  }
});
