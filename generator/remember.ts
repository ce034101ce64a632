import { remembering } from '../specs/remembering.ts';

/** What was made of subjects before. */
export interface Memory<Subject extends object, Made> {
  get(subject: Subject, words: string): Made | undefined;
  set(subject: Subject, words: string, made: Made): void;
  /** What was made, or what `make` makes now. Without words nothing is remembered. */
  recall(subject: Subject, words: string | undefined, make: () => Made): Made;
}

/** Forms of one subject in one language that are worth keeping: clients that name things differently. Each costs memory. */
const mostForms = 4;

/** For a memory that all languages share. */
export const formsInAllLanguages = 8 * mostForms;

/**
 * Spares doing again what depends on nothing but a subject that does not change, such as a message of a published package, and
 * on the `words` that it is put in. It keeps no subject alive: who keeps the model of a package between builds keeps what was
 * made of it too, everybody else starts afresh (`service/builds/version-models.ts`).
 *
 * @param most forms of one subject that are kept.
 */
export function createMemory<Subject extends object, Made>(most = mostForms): Memory<Subject, Made> {
  const formsOf = remembering<Subject, Map<string, Made>, []>(() => new Map());
  const memory: Memory<Subject, Made> = {
    get: (subject, words) => formsOf(subject).get(words),
    set: (subject, words, made) => {
      const forms = formsOf(subject).set(words, made);
      const [oldest] = forms.keys();
      if (forms.size > most && oldest !== undefined) forms.delete(oldest);
    },
    recall: (subject, words, make) => {
      if (words === undefined) return make();
      const known = memory.get(subject, words);
      if (known !== undefined) return known;
      const made = make();
      memory.set(subject, words, made);
      return made;
    },
  };
  return memory;
}
