import { inOrderAdded } from './in-order-added.ts';
import type { SdkMember, SdkModel } from './sdk-model.ts';

/** Members that programs of the README call: of each kind, the one that the tenant added first. */
interface ShownMembers {
  /** Node or flow with one output. */
  unary: SdkMember | undefined;
  /** Flow with one output. */
  flow: SdkMember | undefined;
  /** Node or flow that streams. */
  stream: SdkMember | undefined;
  /** Node that streams, which also takes streamed input. */
  upload: SdkMember | undefined;
}

/** Returns the first member of each kind; undefined for a kind that the client does not have. */
export function shownMembers(model: SdkModel): ShownMembers {
  const added = inOrderAdded(model);
  const streams = added.filter(({ mode }) => mode === 'pipeline');
  return {
    unary: added.find(({ mode }) => mode === 'unary'),
    flow: added.find(({ type, mode }) => type === 'flow' && mode === 'unary'),
    stream: streams[0],
    upload: streams.find(({ type }) => type === 'node'),
  };
}
