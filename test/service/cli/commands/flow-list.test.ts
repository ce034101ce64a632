import assert from 'node:assert/strict';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { twoSteps } from '../../../support/step-package.ts';

describe('svc flow list and diagram', () => {
  let flows: FlowService;
  let graphId: string;
  before(async () => {
    flows = await startFlowService();
    graphId = await flows.compile(twoSteps());
  });
  after(() => flows.stop());

  const svc = (...args: string[]): Promise<Run> =>
    runInProcess(['flow', ...args], { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key });

  it('lists the flows', async () => {
    const { stdout } = await svc('list');
    assert.match(
      stdout,
      new RegExp(`^GRAPH_ID +NAME +MODE +COMPILED\n${graphId}  Two steps  unary  \\S+Z\n$`),
    );
    const [flow] = JSON.parse((await svc('list', '--json')).stdout) as { graph_id: string }[];
    assert.equal(flow?.graph_id, graphId);
  });

  it('draws a flow as Mermaid and as SVG', async () => {
    assert.match((await svc('diagram', graphId)).stdout, /^---\ntitle: "Two steps"\n---\nflowchart /);
    assert.match((await svc('diagram', graphId, '--format', 'svg')).stdout, /^<svg [^]*<\/svg>\n$/);
  });

  it('reports an unknown flow and an unknown format', async () => {
    assert.deepEqual(await svc('diagram', 'lost'), {
      code: 1,
      stdout: '',
      stderr: 'svc: flow "lost": graph not found: run svc flow list to see the flows\n',
    });
    const wrong = await svc('diagram', graphId, '--format', 'png');
    assert.equal(wrong.code, 2);
    assert.match(
      wrong.stderr,
      /'--format <format>' argument 'png' is invalid. Allowed choices are mermaid, svg/,
    );
  });
});
