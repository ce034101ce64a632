import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { language } from '../../generator/languages/go/language.ts';
import type { PackageTypes } from '../../generator/model/package-types.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { runProtocPlugin } from '../../service/nodes/serve/run-protoc-plugin.ts';
import { goEnv, runGo, STATICCHECK_TIMEOUT_MS, staticcheckProgram } from '../support/go-tools.ts';
import { checkNodes, checkRefusals, type ScaffoldedPackage, scaffoldPackage } from '../support/scaffolded-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const template = path.join(projectRoot, 'templates/go/package');

suiteNeeds('go', 'the protocol of the host library in Go', function () {
  this.timeout(STATICCHECK_TIMEOUT_MS);

  it('is made from node_container.proto', async () => {
    const source = await readFile(path.join(projectRoot, 'service/nodes/node_container.proto'), 'utf8');
    const descriptorSet = await compileProtos({ 'node_container.proto': source });
    const parameter = (): string => 'module=greeter,Mnode_container.proto=greeter/svcnode/protocol';
    const [made] = await runProtocPlugin(
      { ...language.handlerPlugin!, parameter },
      { descriptorSet } as PackageTypes,
      template,
    );
    assert.equal(await readFile(path.join(template, made!.path), 'utf8'), made!.content);
  });
});

suiteNeeds('go', 'a new package in Go', function () {
  this.timeout(STATICCHECK_TIMEOUT_MS);
  let scaffolded: ScaffoldedPackage;
  before(async () => {
    scaffolded = await scaffoldPackage('go', { ...process.env, ...goEnv });
    await scaffolded.run('Types');
  });
  after(() => scaffolded.close());

  it('is formatted and clean under go vet and staticcheck', async () => {
    const { folder } = scaffolded;
    assert.deepEqual(await runGo('gofmt', ['-l', '.'], folder), { code: 0, output: '' });
    assert.deepEqual(await runGo('go', ['vet', './...'], folder), { code: 0, output: '' });
    const staticcheck = await staticcheckProgram();
    assert.deepEqual(await runGo(staticcheck, ['-checks', 'all,-ST1000', './...'], folder), {
      code: 0,
      output: '',
    });
  });

  it('passes its own test', async () => {
    assert.match(await scaffolded.run('Test'), /^ok\s+acme\/big-greeter\s/m);
  });

  it('is served, published and called as its README says', async () => {
    await scaffolded.serve();
    const printed = await scaffolded.run('Publish and call');
    assert.match(printed, /Hello, Ada!"[^]*Hello, Ada!"[^]*Hello, Grace!"/);
    const read = await scaffolded.acme.get('/api/v1/packages/acme/big-greeter/1.0.0');
    assert.equal((read.body as { verification?: string }).verification, 'verified');
    await checkNodes(scaffolded);
  });

  it('refuses calls that do not fit, and serves with TLS and a token', () => checkRefusals(scaffolded));
});
