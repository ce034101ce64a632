import { limits } from '../../../specs/limits.ts';
import { mutationNotEnabled } from './run-texts.ts';

/**
 * Collects the mutations that a node sends before its response, as JSON text. Once they exceed a limit, or if the
 * flow allows none, all of them are dropped immediately: a node can keep sending mutations until it responds.
 */
export class GatheredMutations {
  readonly #fragments: string[] = [];
  #bytes = 0;
  #problem: string | undefined;
  readonly #isEnabled: boolean;

  constructor(options: { isEnabled: boolean }) {
    this.#isEnabled = options.isEnabled;
  }

  get isEmpty(): boolean {
    return this.#fragments.length === 0 && this.#problem === undefined;
  }

  add(fragment: string): void {
    if (this.#problem !== undefined) return;
    const bytes = Buffer.byteLength(fragment);
    this.#problem = this.#problemOf(bytes);
    if (this.#problem === undefined) {
      this.#fragments.push(fragment);
      this.#bytes += bytes;
    } else {
      this.#fragments.length = 0;
    }
  }

  /** Returns the mutations in order, or the reason that they cannot be applied. */
  all(): readonly string[] | { problem: string } {
    return this.#problem === undefined ? this.#fragments : { problem: this.#problem };
  }

  #problemOf(bytes: number): string | undefined {
    const { mutationBytes, mutationsPerCall, mutationsBytesPerCall } = limits;
    if (!this.#isEnabled) return mutationNotEnabled;
    if (bytes > mutationBytes) {
      return `the mutation is larger than ${mutationBytes} bytes: split it into several`;
    }
    if (this.#fragments.length >= mutationsPerCall) {
      return `one call brings at most ${mutationsPerCall} mutations: put more nodes and edges into each`;
    }
    if (this.#bytes + bytes > mutationsBytesPerCall) {
      return `the mutations of one call have more than ${mutationsBytesPerCall} bytes: extend the graph in several steps`;
    }
    return undefined;
  }
}
