const node = (title: string, id: string, name: string, fields: object = {}): object => ({
  id,
  package: `acme/soak-${title}`,
  version: '1.0.0',
  node_name: name,
  ...fields,
});

/** Retries long enough for a container to be killed and restarted. */
const retry = { max_attempts: 10, initial_ms: 200, factor: 2, max_ms: 3_000 };

/** The delays between later attempts exceed ten seconds, so the run leaves the memory of its replica. */
const longRetry = { max_attempts: 20, initial_ms: 1_000, factor: 11, max_ms: 11_000 };

/**
 * The flows of every tenant: two steps, a step with long retry delays, a pause followed by a step, and two pipeline
 * nodes.
 */
export const flows = {
  chain: {
    name: 'Chain',
    entry: 'first',
    terminal: 'second',
    nodes: [node('steps', 'first', 'Work', { retry }), node('steps', 'second', 'Work', { retry })],
    edges: [{ from: 'first', to: 'second' }],
  },
  retried: {
    name: 'Retried',
    entry: 'work',
    terminal: 'work',
    nodes: [node('steps', 'work', 'Work', { retry: longRetry })],
    edges: [],
  },
  asking: {
    name: 'Asking',
    entry: 'ask',
    terminal: 'done',
    nodes: [node('steps', 'ask', 'Ask', { retry }), node('steps', 'done', 'Work', { retry })],
    edges: [{ from: 'ask', to: 'done' }],
  },
  pipeline: {
    name: 'Pipeline',
    mode: 'pipeline',
    entry: 'first',
    terminal: 'second',
    nodes: [node('streams', 'first', 'Pipe'), node('streams', 'second', 'Pipe')],
    edges: [{ id: 'frames', from: 'first', to: 'second', adapter: { id: 'id' } }],
  },
} as const;

/** Names of the flows. */
export type FlowName = keyof typeof flows;
