import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What the process counts, in Prometheus terms. One registry a composition root, none for the module. */
export interface Metrics {
  observeRequest(operation: string, status: number, seconds: number): void;
  observeNodeCall(packageName: string, outcome: string, seconds: number): void;
  countBuild(language: string, status: 'succeeded' | 'failed'): void;
  /** Text exposition format 0.0.4. */
  render(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const nodeCalls = new Histogram({
    name: 'svc_node_call_duration_seconds',
    help: 'Time that a node container took to answer, by package and outcome.',
    labelNames: ['package', 'outcome'],
    registers,
  });
  const builds = new Counter({
    name: 'svc_sdk_builds_total',
    help: 'SDK archives built, by language and result.',
    labelNames: ['language', 'status'],
    registers,
  });
  return {
    observeRequest: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    observeNodeCall: (packageName, outcome, seconds) =>
      nodeCalls.observe({ package: packageName, outcome }, seconds),
    countBuild: (language, status) => builds.inc({ language, status }),
    render: () => registry.metrics(),
  };
}
