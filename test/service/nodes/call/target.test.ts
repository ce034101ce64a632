import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createDeploymentTokens } from '../../../../service/access/secrets/deployment-tokens.ts';
import { sealSecret, tokenOwner } from '../../../../service/access/secrets/secret-cipher.ts';
import { NodeTargets, type TargetOptions } from '../../../../service/nodes/call/target.ts';
import { setEndpoint } from '../../../../service/store/package-versions.ts';
import { type CallScene, callScene, type ScenePackage } from '../../../support/call-scene.ts';
import { noTokens } from '../../../support/no-secrets.ts';

describe('the target of a call', () => {
  let scene: CallScene;
  let targets: NodeTargets;
  beforeEach(async () => {
    scene = await callScene();
    targets = new NodeTargets({ db: scene.db, clock: scene.clock, tokens: noTokens });
  });
  afterEach(() => scene.close());

  it('is the container that serves the version of the node', async () => {
    const { standard, owner } = scene;
    const expected = {
      endpoint: standard.endpoint,
      owner: 'acme',
      node: 'Tokenize',
      package: packageOf(standard, 'acme/text'),
    };
    assert.deepEqual(await targets.find(standard.callable, owner.id), expected);
  });

  it('has the token of the deployment, which for an Instance is that of the generic node', async () => {
    const { standard, generic, instance, owner, db, clock } = scene;
    const tokens = createDeploymentTokens(randomBytes(32), clock);
    targets = new NodeTargets({ db, clock, tokens });
    for (const { version, endpoint } of [standard, generic]) {
      const sealedToken = await tokens.seal(db.knex, version, `token-of-${version.id}`);
      await setEndpoint(db.knex, owner.id, version.id, endpoint, { sealedToken });
    }
    const tokenOf = async ({ callable }: ScenePackage) => (await targets.find(callable, owner.id))?.token;
    assert.equal(await tokenOf(standard), `token-of-${standard.version.id}`);
    assert.equal(await tokenOf(instance), `token-of-${generic.version.id}`);
    await standard.setEndpoint(standard.endpoint);
    assert.equal(await tokenOf(standard), undefined, 'a deployment without a token has none');
  });

  it('reports a token that was encrypted with another key or for another version', async () => {
    const { standard, generic, owner, db, clock } = scene;
    const key = randomBytes(32);
    targets = new NodeTargets({ db, clock, tokens: createDeploymentTokens(key, clock) });
    const problemWith = async (sealedToken: Uint8Array): Promise<string | undefined> => {
      await setEndpoint(db.knex, owner.id, standard.version.id, standard.endpoint, { sealedToken });
      const target = await targets.find(standard.callable, owner.id);
      assert.equal(target?.token, undefined);
      return target?.problem;
    };
    const token = 'token-of-a-deployment';
    const stale = sealSecret(randomBytes(32), tokenOwner(standard.version), token);
    assert.match((await problemWith(stale)) ?? '', /was encrypted with another key: restart the service/);
    const foreign = sealSecret(key, tokenOwner(generic.version), token);
    assert.match((await problemWith(foreign)) ?? '', /was encrypted with another key/);
  });

  it('exists for other tenants only while the package is public', async () => {
    const { standard, stranger } = scene;
    assert.ok(await targets.find(standard.callable, stranger.id));
    await standard.setVisibility('private');
    assert.equal(await targets.find(standard.callable, stranger.id), undefined);
    assert.ok(await targets.find(standard.callable, scene.owner.id));
  });

  it('disappears with the deployment', async () => {
    const { standard, owner } = scene;
    await standard.setEndpoint(null);
    assert.equal(await targets.find(standard.callable, owner.id), undefined);
  });

  it('may be as old as the caller accepts, and is read from the database by default', async () => {
    const { standard, owner, clock } = scene;
    const find = (options?: TargetOptions) => targets.find(standard.callable, owner.id, options);
    const upToASecond = { maxAgeMs: 1_000 };
    assert.ok(await find(upToASecond));
    await standard.setEndpoint(null);
    clock.advance(999);
    assert.ok(await find(upToASecond), 'within the accepted age');
    assert.equal(await find(), undefined, 'the default reads the database');
    assert.equal(await find(upToASecond), undefined, 'a newer read replaces the older one');
    await standard.setEndpoint(standard.endpoint);
    clock.advance(1_000);
    assert.ok(await find(upToASecond), 'beyond the accepted age');
  });

  it('is read again after a failure', async () => {
    const { standard, owner, db } = scene;
    const find = () => targets.find(standard.callable, owner.id, { maxAgeMs: 1_000 });
    await db.knex.schema.renameTable('packages', 'missing');
    await assert.rejects(find());
    await db.knex.schema.renameTable('missing', 'packages');
    assert.ok(await find());
  });

  describe('of an Instance', () => {
    it('is the container of the generic node, with the binding', async () => {
      const { instance, generic, owner } = scene;
      assert.deepEqual(await targets.find(instance.callable, owner.id), {
        endpoint: generic.endpoint,
        owner: 'acme',
        node: 'Echo',
        package: packageOf(generic, 'acme/generic'),
        binding: {
          instance: 'acme/bound@0.1.0',
          inputMessage: 'acme.In',
          outputMessage: 'acme.Out',
          descriptorSet: new Uint8Array([10, 0]),
        },
      });
    });

    it('exists for other tenants if the shell package is public, even if the generic package is private', async () => {
      const { instance, generic, stranger } = scene;
      await generic.setVisibility('private');
      assert.ok(await targets.find(instance.callable, stranger.id));
      await instance.setVisibility('private');
      assert.equal(await targets.find(instance.callable, stranger.id), undefined);
    });

    it('disappears with the deployment of the generic node', async () => {
      const { instance, generic, owner } = scene;
      await generic.setEndpoint(null);
      assert.equal(await targets.find(instance.callable, owner.id), undefined);
    });
  });
});

function packageOf({ version }: ScenePackage, name: string) {
  return { name, version: '1.0.0', tenantId: version.tenantId, versionId: version.id };
}
