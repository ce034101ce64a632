import assert from 'node:assert/strict';
import { NodeTargets, type TargetOptions } from '../../../../service/nodes/call/target.ts';
import { type CallScene, callScene } from '../../../support/call-scene.ts';

describe('the target of a call', () => {
  let scene: CallScene;
  let targets: NodeTargets;
  beforeEach(async () => {
    scene = await callScene();
    targets = new NodeTargets({ db: scene.db, clock: scene.clock });
  });
  afterEach(() => scene.close());

  it('is the container of the node’s version', async () => {
    const { standard, owner } = scene;
    const reference = {
      name: 'acme/text',
      version: '1.0.0',
      tenantId: owner.id,
      versionId: standard.callable.versionId,
    };
    const expected = { endpoint: standard.endpoint, node: 'Tokenize', package: reference };
    assert.deepEqual(await targets.find(standard.callable, owner.id), expected);
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

  it('may be as old as the caller accepts, and is current otherwise', async () => {
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

  it('is read again after a failed read', async () => {
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
        node: 'Echo',
        // The container serves the generic node's package, not the one of the Instance.
        package: {
          name: 'acme/generic',
          version: '1.0.0',
          tenantId: owner.id,
          versionId: generic.callable.versionId,
        },
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
