import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { fuzzedArchive, loadCheck } from './names-check.ts';
import { shrinkModel } from './shrink-model.ts';

/** A model whose archive fails the checks of a language, reduced as far as possible. */
interface NamesFailure {
  model: SdkModel;
  problems: string;
}

interface FuzzOptions {
  /** Number of models per run of the check. */
  batch?: number;
  /** Called after each batch with the number of models checked so far. */
  progress?: (done: number) => void;
}

/** Checks models in a language, all in one run of its check. Returns the problems, or an empty string. */
export async function namesProblems(id: string, models: readonly SdkModel[]): Promise<string> {
  const loaded = await loadLanguage(id);
  const check = await loadCheck(id);
  const archives = [];
  for (const [index, model] of models.entries()) {
    try {
      archives.push(await fuzzedArchive(`m${index}`, model, loaded));
    } catch (error) {
      return `the archive cannot be made: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return check.problems(archives);
}

/** Finds the first model that fails, by bisecting its batch, and reduces it. Returns `undefined` if all models pass. */
export async function fuzzNames(
  id: string,
  models: readonly SdkModel[],
  { batch = 16, progress = () => undefined }: FuzzOptions = {},
): Promise<NamesFailure | undefined> {
  const problems = (some: readonly SdkModel[]): Promise<string> => namesProblems(id, some);
  for (let start = 0; start < models.length; start += batch) {
    const some = models.slice(start, start + batch);
    if ((await problems(some)) !== '') {
      const failing = await findFailing(some, problems);
      // Archives that only fail together are not reduced.
      const [only] = failing;
      const model =
        failing.length === 1 && only
          ? await shrinkModel(only, async (smaller) => (await problems([smaller])) !== '')
          : failing[0]!;
      return { model, problems: await problems(failing.length === 1 ? [model] : failing) };
    }
    progress(Math.min(start + batch, models.length));
  }
  return undefined;
}

async function findFailing(
  models: readonly SdkModel[],
  problems: (some: readonly SdkModel[]) => Promise<string>,
): Promise<readonly SdkModel[]> {
  if (models.length === 1) return models;
  const middle = Math.ceil(models.length / 2);
  for (const half of [models.slice(0, middle), models.slice(middle)])
    if ((await problems(half)) !== '') return findFailing(half, problems);
  return models;
}
