import assert from 'node:assert/strict';
import { packagesOf, type WarmNode } from '../../../service/warm/warm-plan.ts';
import { limits } from '../../../specs/limits.ts';

describe('the packages to warm', () => {
  const node = (packageName: string, nodeName = 'Step'): WarmNode => ({
    packageName,
    nodeName,
    nodeUlid: `${packageName}/${nodeName}`,
    ownerTenantId: 'acme',
    versionId: `${packageName}@1`,
  });
  const names = Array.from({ length: limits.warmPackages + 1 }, (_, index) => `acme/p${index}`);

  it('include all packages up to the limit of 48', () => {
    assert.equal(limits.warmPackages, 48);
    const { packages, truncated } = packagesOf([names.slice(0, 48).map((name) => node(name))], 48);
    assert.deepEqual([packages.length, truncated], [48, 0]);
  });

  it('are the ones referenced first, in a stable order', () => {
    const flows = [names.slice(10, 40), names.slice(0, 10), names.slice(30)].map((some) =>
      some.map((name) => node(name)),
    );
    const { packages, truncated } = packagesOf(flows, 48);
    assert.equal(truncated, 1);
    assert.deepEqual(
      packages.map(({ name }) => name),
      [...names.slice(10, 40), ...names.slice(0, 10), ...names.slice(40, 48)],
    );
    assert.deepEqual(packagesOf(flows, 48), packagesOf(structuredClone(flows), 48));
  });

  it('are listed once, with all nodes that the flows use', () => {
    const { packages } = packagesOf(
      [
        [node('a/a', 'One'), node('a/b')],
        [node('a/a', 'Two'), node('a/a', 'One')],
      ],
      48,
    );
    assert.deepEqual(
      packages.map(({ name, nodes }) => [name, nodes.map(({ nodeName }) => nodeName)]),
      [
        ['a/a', ['One', 'Two']],
        ['a/b', ['Step']],
      ],
    );
  });
});
