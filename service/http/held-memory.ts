import type { ApiError } from '../errors/api-error.ts';

/** Bytes that the bodies or the responses of one caller, and of all callers, may hold at the same time. */
export interface MemoryBounds {
  perCaller: number;
  total: number;
}

/** A tenant, or the network of a request without a key. */
export interface MemoryCaller {
  name: string;
  /** Callers without a key use at most half of the total, so that they do not keep out tenants. */
  hasKey: boolean;
}

interface HeldMemoryOptions extends MemoryBounds {
  /** The caller itself holds too much. */
  callerRefusal: () => ApiError;
  /** All callers together hold too much. */
  totalRefusal: () => ApiError;
}

/** The memory of one body, line, message or response. */
export interface MemoryShare {
  /**
   * Grows the share to this size.
   *
   * @throws ApiError if that exceeds a bound, unless it is the only share
   */
  growTo(bytes: number): void;
  /** Releases all of it. May be called repeatedly. */
  release(): void;
}

/**
 * Size in bytes below which a body or a response is not counted: a connection itself takes as much memory.
 */
export const uncountedBytes = 65_536;

/** Bounds the memory of large bodies or responses. A single one is never too large: its size is limited elsewhere. */
export class HeldMemory {
  readonly #options: HeldMemoryOptions;
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(options: HeldMemoryOptions) {
    this.#options = options;
  }

  share({ name, hasKey }: MemoryCaller): MemoryShare {
    const { perCaller, total, callerRefusal, totalRefusal } = this.#options;
    const maxTotal = hasKey ? total : total / 2;
    let held = 0;
    return {
      growTo: (bytes) => {
        const growth = bytes - held;
        if (bytes <= uncountedBytes || growth <= 0) return;
        const ofCaller = this.#byCaller.get(name) ?? 0;
        if (ofCaller > held && ofCaller + growth > perCaller) throw callerRefusal();
        if (this.#total > held && this.#total + growth > maxTotal) throw totalRefusal();
        held = bytes;
        this.#add(name, growth);
      },
      release: () => {
        if (held === 0) return;
        this.#add(name, -held);
        held = 0;
      },
    };
  }

  #add(name: string, bytes: number): void {
    const left = (this.#byCaller.get(name) ?? 0) + bytes;
    if (left === 0) this.#byCaller.delete(name);
    else this.#byCaller.set(name, left);
    this.#total += bytes;
  }
}
