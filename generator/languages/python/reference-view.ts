import { referenceView } from '../../documents/reference-view.ts';
import type { FileView } from '../../language.ts';
import type { PythonSdk } from './python-sdk.ts';
import { pythonTerms } from './terms.ts';

/**
 * Returns `REFERENCE.md`: the reference that all languages share, then the runtime classes that this SDK's calls
 * return.
 */
export function referenceFile(sdk: PythonSdk): FileView {
  const { model, names } = sdk;
  return {
    path: 'REFERENCE.md',
    template: 'REFERENCE.md',
    view: {
      ...referenceView(model, pythonTerms(sdk)),
      hasRuns: model.members.some(({ type, mode }) => type === 'flow' && mode === 'unary'),
      hasStreams: model.members.some(({ mode }) => mode === 'pipeline'),
      hasUploads: names.uploads.size > 0,
    },
  };
}
