import type { DescMessage } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { messageTooLarge } from '../../errors/edge-errors.ts';
import { undecodableMessage } from '../../errors/message-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { decodeMessage } from '../../messages/wire/decode-message.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { decodeCost } from '../work/decode-cost.ts';
import { WorkExceeded } from '../work/work-meter.ts';
import type { WorkMeter } from '../work/work-meter.ts';

/**
 * The serialized output of a step. It is decoded once, by the first expression that reads it, regardless of the number of edges.
 */
export class NodeOutput {
  readonly bytes: Uint8Array;
  /** The budget for everything that is evaluated on the output. */
  readonly meter: WorkMeter;
  #decoded: { type: DescMessage; message: Outcome<ReflectMessage> } | undefined;

  constructor(bytes: Uint8Array, meter: WorkMeter) {
    this.bytes = bytes;
    this.meter = meter;
  }

  decode(type: DescMessage): Outcome<ReflectMessage> {
    if (this.#decoded?.type !== type) this.#decoded = { type, message: this.#read(type) };
    return this.#decoded.message;
  }

  #read(type: DescMessage): Outcome<ReflectMessage> {
    try {
      this.meter.spend(decodeCost(type, this.bytes, this.meter.left));
      return done(reflect(type, decodeMessage(type, this.bytes)));
    } catch (error) {
      if (error instanceof WorkExceeded) return failed(messageTooLarge(type.typeName));
      const detail = thrownMessage(error);
      return failed(undecodableMessage(type.typeName, detail).message);
    }
  }
}
