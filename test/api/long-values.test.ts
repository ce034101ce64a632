import assert from 'node:assert/strict';
import { compileFlow } from '../support/flow-service.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishSteps, stepPackage, step, twoSteps } from '../support/step-package.ts';

/** Texts and lists at a limit, and beyond it. */
describe('a value over its limit', () => {
  let service: RunningService;
  let acme: Caller;
  let graph: string;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    await publishSteps(acme, { name: 'acme/short' });
    const nodes = ['a', 'b'].map((id) => step(id, { package: 'acme/short' }));
    graph = await compileFlow(acme, twoSteps({ nodes }));
  });
  after(() => service.stop());

  const text = (length: number): string => 'x'.repeat(length);
  const problemOf = (body: Record<string, unknown> | string): string =>
    typeof body === 'string' ? body : ((body.error_message ?? body.message ?? body.error) as string);

  type Case = [
    what: string,
    limit: number,
    unit: string,
    place: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- bodies differ
    send: (size: number) => Promise<{ status: number; body: any }>,
  ];
  const cases: Case[] = [
    [
      'the name of a client',
      200,
      'characters',
      'name',
      (size) => acme.post('/api/v1/clients', { name: text(size) }),
    ],
    [
      'the description of a client',
      4096,
      'characters',
      'description',
      (size) => acme.post('/api/v1/clients', { name: `c${size}`, description: text(size) }),
    ],
    [
      'the description of a package',
      4096,
      'characters',
      'description',
      (size) =>
        acme.post('/api/v1/packages', stepPackage({ name: `acme/d${size}`, description: text(size) })),
    ],
    [
      'the endpoint of a package',
      512,
      'characters',
      'endpoint',
      (size) => acme.post('/api/v1/packages', stepPackage({ endpoint: text(size) })),
    ],
    [
      'the nodes of a package',
      500,
      'entries',
      'nodes',
      (size) => {
        const ports = { input: 'acme.steps.v1.Step', output: 'acme.steps.v1.Step' };
        const nodes = Array.from({ length: size }, (_, index) => ({ name: `N${index}`, ...ports }));
        return acme.post('/api/v1/packages', stepPackage({ name: `acme/n${size}`, nodes }));
      },
    ],
    [
      'the name of a flow',
      128,
      'characters',
      'name',
      (size) => acme.post('/api/v1/graphs/compile', twoSteps({ name: text(size) })),
    ],
    [
      'the error of a mock',
      4096,
      'characters',
      'nodes[0].mock.error',
      (size) =>
        acme.post(
          '/api/v1/graphs/compile',
          twoSteps({ nodes: [step('a', { mock: { error: text(size) } }), step('b')] }),
        ),
    ],
    [
      'the name of a key',
      200,
      'characters',
      'name',
      (size) => acme.post('/api/v1/api-keys', { name: text(size), scopes: ['invoke'], graph_ids: [graph] }),
    ],
    [
      'the cursor of a page',
      2048,
      'characters',
      'query parameter cursor',
      (size) => acme.get(`/invocations/v1/executions?cursor=${text(size)}`),
    ],
  ];

  for (const [what, limit, unit, place, send] of cases) {
    it(`is refused with the limit: ${what}`, async () => {
      const over = await send(limit + 1);
      assert.equal(over.status, 400);
      const expected = `${place}: must have at most ${limit} ${unit}, and has ${limit + 1}`;
      assert.ok(problemOf(over.body).includes(expected), problemOf(over.body));
      const fits = await send(limit);
      // The value may be refused for another reason.
      assert.ok(!JSON.stringify(fits.body).includes('must have at most'), JSON.stringify(fits.body));
    });
  }
});
