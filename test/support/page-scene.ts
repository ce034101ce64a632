import { readFlowDocument } from '../../service/cli/flow-document.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { approval, askHuman, pausedRun } from './asking-flow.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from './fixture-containers.ts';
import { compileFlow, type FlowService, startFlowService } from './flow-service.ts';

/** A service with content on each of its pages. */
export interface PageScene {
  url: string;
  /** Key of the tenant that owns everything. */
  key: string;
  /** Flows with a page. The runs of `approval` wait for a decision. */
  graphs: { describe: string; approval: string };
  /** Starts a run that pauses, and returns the address of the page of its pause. */
  pausePage(): Promise<string>;
  stop(): Promise<void>;
}

const packages: FixturePackage[] = ['acme-text', 'acme-orders', 'acme-streams'];

export async function startPageScene(): Promise<PageScene> {
  const flows = await startFlowService();
  const containers = await publishPackages(flows);
  const { acme, service } = flows;
  const compile = async (file: string): Promise<string> =>
    compileFlow(acme, (await readFlowDocument(flowFile(file))) as object);
  await compile('approve-order');
  const graphs = { describe: await compile('describe-text'), approval: await flows.compile(approval) };
  askHuman(flows, '{"question": "Deliver the order BOOK-1?", "total": "1200000", "limit": "50000"}');
  return {
    url: service.url,
    key: acme.key,
    graphs,
    pausePage: async () => {
      const { executionId } = await pausedRun(acme, graphs.approval);
      const answer = await acme.get(`/invocations/v1/executions/${executionId}/pauses`);
      const { pauses } = answer.body as { pauses: { resume_url: string }[] };
      return pauses[0]?.resume_url ?? '';
    },
    stop: async () => {
      await flows.stop();
      await Promise.all(containers.map((container) => container.stop()));
    },
  };
}

async function publishPackages({ acme }: FlowService): Promise<FixtureContainer[]> {
  const containers: FixtureContainer[] = [];
  for (const name of packages) {
    const container = await startFixtureContainer(name);
    containers.push(container);
    const body = await readPackageFolder(fixturePackageFolder(name));
    const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
    if (published.status !== 201) throw new Error(JSON.stringify(published.body));
  }
  return containers;
}

function flowFile(name: string): string {
  return new URL(`../../fixtures/flows/${name}.yaml`, import.meta.url).pathname;
}
