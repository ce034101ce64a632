/** The part of a semantic version that a change increments. */
export type Step = 'major' | 'minor' | 'patch';

/** The changes between two versions: finished sentences in plain text, sorted, and their semantic step. */
export interface Changes {
  added: string[];
  changed: string[];
  removed: string[];
  step: Step;
}

/** Collects the changes of a comparison. A removal is always incompatible. */
export class ChangeList {
  readonly #added: string[] = [];
  readonly #changed: string[] = [];
  readonly #removed: string[] = [];
  #incompatible = false;

  added(sentence: string): void {
    this.#added.push(sentence);
  }

  removed(sentence: string): void {
    this.#removed.push(sentence);
  }

  /** Adds a change that does not affect how programs compile or run. */
  changed(sentence: string): void {
    this.#changed.push(sentence);
  }

  /** Adds a change that may break a program. */
  broken(sentence: string): void {
    this.#changed.push(sentence);
    this.#incompatible = true;
  }

  finish(): Changes {
    const breaking = this.#incompatible || this.#removed.length > 0;
    return {
      added: this.#added.sort(),
      changed: this.#changed.sort(),
      removed: this.#removed.sort(),
      step: breaking ? 'major' : this.#added.length > 0 ? 'minor' : 'patch',
    };
  }
}
