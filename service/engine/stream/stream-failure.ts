import type { FlowFailed } from '../journal/entry.ts';

/** The failure that ends the run of a pipeline flow. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure';
  readonly end: Omit<FlowFailed, 'type'>;

  constructor(end: Omit<FlowFailed, 'type' | 'status'> & { status?: FlowFailed['status'] }) {
    super(end.message);
    this.end = { status: 'FAILED', ...end };
  }
}
