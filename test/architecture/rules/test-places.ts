import type { Rule, SourceTree } from '../source-tree.ts';

const mirrored = /^test\/((?:specs|generator|service)\/.+)\.test\.ts$/;

/**
 * A test stands where its source stands: `service/store/clients.ts` -> `test/service/store/clients.test.ts`. A behaviour of
 * a whole folder, or of one aspect of a file, may have a test named for it: in the folder, or in one named for the file.
 */
export const testPlaces: Rule = (tree) =>
  [...tree.keys()].flatMap((file) => {
    const place = mirrored.exec(file)?.[1];
    if (place === undefined || hasSource(tree, place)) return [];
    return [`${file}: neither ${place}.ts nor the file or folder ${parent(place)} exists`];
  });

function hasSource(tree: SourceTree, place: string): boolean {
  const folder = parent(place);
  if (tree.has(`${place}.ts`) || tree.has(`${folder}.ts`)) return true;
  return [...tree.keys()].some((file) => file.startsWith(`${folder}/`));
}

function parent(place: string): string {
  return place.slice(0, place.lastIndexOf('/'));
}
