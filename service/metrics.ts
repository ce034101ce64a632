import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of the process. Each instance has its own registry. */
export interface Metrics {
  observeRequest(operation: string, status: number, seconds: number): void;
  /** Records a node call. The first 500 packages have a label of their own, and all others share `other`. */
  observeNodeCall(packageName: string, outcome: string, seconds: number): void;
  /** Counts a run that has ended. */
  countRun(status: string): void;
  countBuild(language: string, status: 'succeeded' | 'failed'): void;
  /** Counts a live session that has ended. */
  countLiveSession(end: string): void;
  /** Sets the function that returns the number of open live sessions. */
  openLiveSessions(count: () => number): void;
  /** Counts a response that does not match its operation. */
  countContractMismatch(operation: string): void;
  /** Returns all metrics in the text exposition format 0.0.4. */
  render(): Promise<string>;
}

/**
 * Maximum number of packages with time series of their own. Tenants may publish any number of packages. Each
 * package takes some thirty series in memory, and rendering those of 5,000 packages takes 0.4 s of the main
 * thread.
 */
const namedPackages = 500;

/**
 * Creates the metrics, with the default ones of prom-client for the process, such as its memory and the delay of its event loop.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Duration of HTTP requests, from the request line to the end of the response, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const nodeCalls = new Histogram({
    name: 'svc_node_call_duration_seconds',
    help: 'Duration of calls to node containers, by package and outcome.',
    labelNames: ['package', 'outcome'],
    registers,
  });
  const runs = new Counter({
    name: 'svc_runs_total',
    help: 'Runs of flows that have ended, by status.',
    labelNames: ['status'],
    registers,
  });
  const builds = new Counter({
    name: 'svc_sdk_builds_total',
    help: 'SDK builds, by language and result.',
    labelNames: ['language', 'status'],
    registers,
  });
  const liveSessions = new Counter({
    name: 'svc_live_sessions_total',
    help: 'Live sessions that have ended, by their end.',
    labelNames: ['end'],
    registers,
  });
  const mismatches = new Counter({
    name: 'svc_contract_mismatches_total',
    help: 'Responses that differed from the API document, by operation.',
    labelNames: ['operation'],
    registers,
  });
  const named = new Set<string>();
  const packageLabel = (packageName: string): string => {
    if (named.size < namedPackages) named.add(packageName);
    return named.has(packageName) ? packageName : 'other';
  };
  return {
    observeRequest: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    observeNodeCall: (packageName, outcome, seconds) =>
      nodeCalls.observe({ package: packageLabel(packageName), outcome }, seconds),
    countRun: (status) => runs.inc({ status }),
    countBuild: (language, status) => builds.inc({ language, status }),
    countLiveSession: (end) => liveSessions.inc({ end }),
    openLiveSessions: (count) => {
      new Gauge({
        name: 'svc_live_sessions_open',
        help: 'Live sessions that are open.',
        registers,
        collect() {
          this.set(count());
        },
      });
    },
    countContractMismatch: (operation) => mismatches.inc({ operation }),
    render: () => registry.metrics(),
  };
}
